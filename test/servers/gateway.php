<?php
// A gateway that takes everything, and writes down what PHP has made of each request: a line of JSON.

$files = [];
foreach ($_FILES as $field => $file) {
	$files[$field] = [
		'name' => $file['name'],
		'type' => $file['type'],
		'size' => $file['size'],
		'sha256' => hash_file('sha256', $file['tmp_name']),
	];
}
$seen = [
	'path' => $_SERVER['REQUEST_URI'],
	'protocol' => $_SERVER['SERVER_PROTOCOL'],
	'authorization' => $_SERVER['HTTP_AUTHORIZATION'] ?? null,
	'type' => $_SERVER['CONTENT_TYPE'] ?? null,
	'fields' => $_POST,
	'json' => json_decode(file_get_contents('php://input')),
	'files' => $files,
];
file_put_contents(getenv('SEEN'), json_encode($seen, JSON_UNESCAPED_UNICODE) . "\n", FILE_APPEND);

header('Content-Type: application/json');
echo json_encode(['code' => 200, 'message' => 'PHP has taken it']);
