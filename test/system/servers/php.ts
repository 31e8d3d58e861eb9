/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** PHP with nginx in front of it, which is how many gateways run. */
import {
	chownSync,
	copyFileSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	identityOf,
	installMissingPackages,
	PACKAGES,
	stopProcess,
	waitForPort,
} from '../../support/debian/index';
import { freePort } from '../../../tools/n8n/server/index';
import { start } from '../../../tools/n8n/server/processes';

/** What PHP read from one request. */
export interface Seen {
	method: string;
	protocol: string;
	/** Segments, decoded. */
	path: string[];
	/** Names in lower case. */
	headers: Record<string, string>;
	/** `$_POST` */
	post: Record<string, string | string[]>;
	/** `$_FILES`, with the SHA-256 of the content. */
	files: Record<string, SeenFile>;
	/** The raw body, if it is JSON. */
	json: string | null;
}

export interface SeenFile {
	name: string;
	type: string;
	error: number;
	size: number;
	sha256: string;
}

export const ROUTES = [
	'PHP alone',
	'nginx, the whole request first',
	'nginx, as the request comes',
	'nginx, compressed',
] as const;

export type Route = (typeof ROUTES)[number];

export interface PhpServers {
	/** The Base URL to enter for each route to PHP. */
	baseUrls: Record<Route, string>;
	/** The same PHP, behind an nginx that accepts at most 1 MB, which is its default. */
	limitedUrl: string;
	/** An nginx whose PHP does not run. */
	orphanedUrl: string;
	/** What PHP saw since the last call. */
	seen(): Seen[];
	stop(): Promise<void>;
}

export async function startPhp(): Promise<PhpServers> {
	installMissingPackages('The test with PHP and nginx', 'php-cli', 'nginx-light');
	const folder = mkdtempSync(join(tmpdir(), 'php-servers-'));
	const seenFile = join(folder, 'seen.jsonl');
	const [php, nginx, nobody] = [await freePort(), await freePort(), await freePort()];
	copyFileSync(join(__dirname, 'gateway.php'), join(folder, 'gateway.php'));
	writeFileSync(join(folder, 'nginx.conf'), nginxConfig({ folder, php, nginx, nobody }));
	const identity = identityOf('www-data');
	if (identity.uid !== undefined && identity.gid !== undefined) {
		chownSync(folder, identity.uid, identity.gid);
	}
	const options = { ...identity, cwd: folder, stdio: 'ignore' as const };
	const env = { PATH: process.env.PATH, SEEN: seenFile };
	const processes = [
		start(PACKAGES['php-cli'], phpArgs(folder, php), { ...options, env }),
		start(PACKAGES['nginx-light'], nginxArgs(folder), options),
	];
	const stop = async () => {
		await Promise.all(processes.map(stopProcess));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await Promise.all([php, nginx].map(waitForPort));
	} catch (error) {
		await stop();
		throw error;
	}
	const behindNginx = (path: string) => `http://127.0.0.1:${nginx}${path}`;
	return {
		baseUrls: {
			'PHP alone': `http://127.0.0.1:${php}`,
			'nginx, the whole request first': behindNginx('/customers/42'),
			'nginx, as the request comes': behindNginx('/streamed/customers/42'),
			'nginx, compressed': behindNginx('/compressed/'),
		},
		limitedUrl: behindNginx('/limited'),
		orphanedUrl: behindNginx('/orphaned'),
		seen: () => takeLines(seenFile),
		stop,
	};
}

function takeLines(file: string): Seen[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
	rmSync(file);
	return lines.map((line) => JSON.parse(line) as Seen);
}

function phpArgs(folder: string, port: number): string[] {
	const settings = {
		upload_max_filesize: '64M',
		post_max_size: '64M',
		memory_limit: '64M',
		upload_tmp_dir: folder,
		display_errors: '0',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
	return ['-n', ...args, '-S', `127.0.0.1:${port}`, join(folder, 'gateway.php')];
}

function nginxArgs(folder: string): string[] {
	const log = join(folder, 'error.log');
	return ['-p', folder, '-e', log, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
}

interface Ports {
	folder: string;
	php: number;
	nginx: number;
	nobody: number;
}

/** Returns a typical configuration, which changes only a few of nginx's defaults. */
function nginxConfig({ folder, php, nginx, nobody }: Ports): string {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((what) => `${what}_temp_path ${join(folder, what)};`)
		.join('\n');
	return `
pid ${join(folder, 'nginx.pid')};
events {}
http {
	${temporary}
	access_log off;
	server {
		listen 127.0.0.1:${nginx};
		client_max_body_size 64m;
		proxy_set_header Host $host;

		# HTTP/1.0 to PHP, without the prefix.
		location /customers/42/ {
			proxy_pass http://127.0.0.1:${php}/;
		}
		# PHP gets the prefix too.
		location /streamed/customers/42/ {
			proxy_request_buffering off;
			proxy_buffering off;
			proxy_pass http://127.0.0.1:${php};
		}
		location /compressed/ {
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			gzip on;
			gzip_types application/json;
			proxy_pass http://127.0.0.1:${php}/;
		}
		location /limited/ {
			client_max_body_size 1m;
			proxy_pass http://127.0.0.1:${php}/;
		}
		location /orphaned/ {
			proxy_pass http://127.0.0.1:${nobody}/;
		}
	}
}
`;
}
