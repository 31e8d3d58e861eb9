/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Lets many executions wait for one plan in this process, and leave. */
import { RateLimiter } from '../../nodes/MessagingGateway/delivery/pace/rateLimiter';

/** Resolves to the microseconds of the processor that each execution takes. */
async function costOf(executions: number): Promise<number> {
	const before = process.cpuUsage();
	const waiting: Array<Promise<unknown>> = [];
	const limiters = Array.from({ length: executions }, () => {
		const limiter = RateLimiter.join('plan', 60, new AbortController().signal);
		for (let request = 0; request < 5; request++) waiting.push(limiter.permit());
		return limiter;
	});
	await new Promise((resolve) => setTimeout(resolve, 10));
	limiters.forEach((limiter) => limiter.leave());
	await Promise.all(waiting);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / executions;
}

async function main(sizes: number[]): Promise<void> {
	await costOf(1_000);
	const costs: number[] = [];
	for (const size of sizes) costs.push(await costOf(size));
	console.log(JSON.stringify(costs));
}

void main(JSON.parse(process.argv[2] ?? '') as number[]);
