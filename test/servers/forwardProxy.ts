/** A forward proxy as companies have it: plain requests with a whole address, and tunnels. */
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

export interface ForwardProxy {
	url: string;
	/** Where requests and tunnels went, as `host:port`. */
	hosts: string[];
	close(): Promise<void>;
}

export async function startForwardProxy(): Promise<ForwardProxy> {
	const hosts: string[] = [];
	const server = createServer((incoming, response) => {
		const { method, headers, url = '' } = incoming;
		hosts.push(new URL(url).host);
		const onward = request(url, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on('error', () => response.destroy());
		incoming.pipe(onward);
	});
	server.on('connect', ({ url = '' }, client, head) => {
		hosts.push(url);
		const [host = '', port = ''] = url.split(':');
		const upstream = connect(Number(port), host, () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			upstream.write(head);
			client.pipe(upstream).pipe(client);
		});
		upstream.on('error', () => client.destroy());
		client.on('error', () => upstream.destroy());
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		hosts,
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}
