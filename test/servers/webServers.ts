/** PHP's built-in server, and nginx in front of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../n8n';
import { answers, end, ensurePrograms } from '../programs';

const PHP = '/usr/bin/php';
const NGINX = '/usr/sbin/nginx';

/** What PHP has made of a request. */
export interface SeenByPhp {
	path: string;
	protocol: string;
	authorization: string | null;
	type: string | null;
	fields: Record<string, string | string[]> | [];
	json: unknown;
	files: Record<string, { name: string; type: string; size: number; sha256: string }> | [];
}

export interface WebServers {
	/** Base URLs: PHP itself, and through nginx, which hands uploads on when they are whole or at once. */
	urls: Record<'php' | 'buffered' | 'streamed', string>;
	/** What has come in since the last call. */
	seen(): SeenByPhp[];
	stop(): Promise<void>;
}

export async function startWebServers(): Promise<WebServers> {
	ensurePrograms([PHP, NGINX], ['php-cli', 'nginx-light']);
	const folder = mkdtempSync(join(tmpdir(), 'web-servers-'));
	const seenFile = join(folder, 'seen');
	const [phpPort, nginxPort] = [await freePort(), await freePort()];
	const children = [startPhp(phpPort, seenFile), startNginx(folder, nginxPort, phpPort)];
	const stop = async () => {
		await Promise.all(children.map(async (each) => await end(each, 'SIGTERM')));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await Promise.all([phpPort, nginxPort].map(answers));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		urls: {
			php: `http://127.0.0.1:${phpPort}`,
			buffered: `http://127.0.0.1:${nginxPort}/customers/42`,
			streamed: `http://127.0.0.1:${nginxPort}/streamed`,
		},
		seen: () => {
			const lines = readFileSync(seenFile, 'utf8').trim().split('\n');
			writeFileSync(seenFile, '');
			return lines.map((line) => JSON.parse(line) as SeenByPhp);
		},
		stop,
	};
}

function startPhp(port: number, seenFile: string): ChildProcess {
	writeFileSync(seenFile, '');
	const limits = ['upload_max_filesize=64M', 'post_max_size=80M'].flatMap((limit) => ['-d', limit]);
	const args = [...limits, '-S', `127.0.0.1:${port}`, join(__dirname, 'gateway.php')];
	return spawn(PHP, args, { env: { ...process.env, SEEN: seenFile }, stdio: 'ignore' });
}

function startNginx(folder: string, port: number, phpPort: number): ChildProcess {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((name) => `${name}_temp_path ${join(folder, name)};`)
		.join('\n');
	const configuration = `
		daemon off;
		${process.getuid?.() === 0 ? 'user root;' : ''}
		pid ${join(folder, 'pid')};
		error_log ${join(folder, 'error.log')};
		events {}
		http {
			access_log off;
			client_max_body_size 64m;
			${temporary}
			server {
				listen 127.0.0.1:${port};
				location /customers/42/ {
					proxy_pass http://127.0.0.1:${phpPort}/;
				}
				location /streamed/ {
					proxy_request_buffering off;
					proxy_http_version 1.1;
					proxy_pass http://127.0.0.1:${phpPort}/;
				}
			}
		}`;
	const file = join(folder, 'nginx.conf');
	writeFileSync(file, configuration);
	return spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' });
}
