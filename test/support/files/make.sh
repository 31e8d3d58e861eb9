#!/bin/sh
# Makes the sample files again, with ImageMagick 6 and LibreOffice 7.4: sh test/support/files/make.sh
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# /usr/bin, because some machines have another program named convert earlier in the PATH.
/usr/bin/convert -seed 7 -size 640x480 plasma:steelblue-orange -blur 0x2 -quality 70 photo.jpg
/usr/bin/convert -size 320x200 gradient:white-seagreen -fill black -draw 'circle 160,100 160,60' picture.png

cat > table.csv <<'CSV'
date,recipient,amount,note
2026-01-05,6281234567890,125000,"Invoice 17, January"
2026-02-05,6281234567890,98000,"Café ""Zoë"", février"
2026-03-05,6289876543210,143500,領収書
CSV

cat > "$work/letter.html" <<'HTML'
<html><head><meta charset="utf-8"><title>Letter</title></head><body>
<h1>Your order is on its way</h1>
<p>Dear Zoë,</p>
<p>Your order no. 1042 left our warehouse this morning.</p>
<table border="1"><tr><th>Article</th><th>Pieces</th></tr><tr><td>Notebook</td><td>3</td></tr></table>
<p>Kind regards,<br>The warehouse</p>
</body></html>
HTML

cat > "$work/slides.fodp" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation">
 <office:body><office:presentation>
  <draw:page draw:name="one" draw:master-page-name="Default"><draw:frame svg:width="20cm" svg:height="3cm"
   svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Opening hours in December</text:p></draw:text-box></draw:frame></draw:page>
  <draw:page draw:name="two" draw:master-page-name="Default"><draw:frame svg:width="20cm" svg:height="3cm"
   svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Monday to Friday, 9 to 17</text:p></draw:text-box></draw:frame></draw:page>
 </office:presentation></office:body>
</office:document>
XML

# office <format> <file> [option]
office() {
	soffice --headless "-env:UserInstallation=file://$work/profile" ${3:+"$3"} \
		--convert-to "$1" --outdir "$work" "$2"
}
office odt "$work/letter.html" '--infilter=HTML (StarWriter)'
office docx "$work/letter.odt"
office doc "$work/letter.odt"
office pdf "$work/letter.odt"
office xlsx table.csv '--infilter=Text - txt - csv (StarCalc):44,34,76'
office xls table.csv '--infilter=Text - txt - csv (StarCalc):44,34,76'
office pptx "$work/slides.fodp"

mv "$work/letter.pdf" document.pdf
mv "$work/letter.docx" "$work/letter.doc" "$work/slides.pptx" .
mv "$work/table.xlsx" sheet.xlsx
mv "$work/table.xls" sheet.xls
