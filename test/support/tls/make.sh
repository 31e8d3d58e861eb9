#!/bin/sh
# Makes a new self-signed certificate for the tests: for 127.0.0.1, valid for a hundred years.
cd "$(dirname "$0")" || exit 1
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
	-subj '/CN=127.0.0.1' -addext 'subjectAltName=IP:127.0.0.1' -keyout key.pem -out cert.pem
