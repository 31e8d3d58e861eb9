<?php
// A gateway in PHP: records what PHP read from each request, and answers as the API describes.

$files = array_map(
	fn (array $file) => [
		'name' => $file['name'],
		'type' => $file['type'],
		'error' => $file['error'],
		'size' => $file['size'],
		'sha256' => $file['error'] === UPLOAD_ERR_OK ? hash_file('sha256', $file['tmp_name']) : null,
	],
	$_FILES,
);
$headers = array_change_key_case(getallheaders());
$type = $headers['content-type'] ?? '';
$seen = [
	'method' => $_SERVER['REQUEST_METHOD'],
	'protocol' => $_SERVER['SERVER_PROTOCOL'],
	'path' => array_map('rawurldecode', explode('/', ltrim($_SERVER['REQUEST_URI'], '/'))),
	'headers' => $headers,
	// An object even if it is empty or its names are digits.
	'post' => (object) $_POST,
	'files' => (object) $files,
	'json' => str_starts_with($type, 'application/json') ? file_get_contents('php://input') : null,
];
$flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
file_put_contents(getenv('SEEN'), json_encode($seen, $flags) . "\n", FILE_APPEND | LOCK_EX);

$answer = ['code' => 200, 'message' => 'Message is queued – “später” 日本 😀'];
if ($files !== []) {
	$answer['data'] = ['queue_id' => '1', 'phone' => $_POST['phone'] ?? '', 'status' => 'Pending'];
}
header('Content-Type: application/json');
echo json_encode($answer, $flags);
