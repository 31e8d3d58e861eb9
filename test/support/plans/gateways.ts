/** Gateways with plans that nobody told the node, as they are met in the wild. */
import { chanceOf } from '../chance';

/**
 * How a gateway counts. `any`: at most `requests` in any `seconds`. `first`: in a window that begins with its first
 * request. `never` and `rarely`: it has no plan, but `rarely` refuses one in 250 all the same. `shared`: like `any`, but
 * for the first ten minutes another n8n leaves one request a minute of it.
 */
export type PlanKind =
	'any' | 'first' | 'token' | 'leaky' | 'underWay' | 'never' | 'rarely' | 'shared';
/** What a refusal says of when there is room again. */
export type Told = 'up' | 'down' | 'date' | 'missing' | 'half' | 'more';

export interface PlanOf {
	kind: PlanKind;
	/** Of `underWay`: at once. */
	requests: number;
	seconds: number;
	told: Told;
}

/** Counts the requests of a plan. Times are milliseconds. */
export interface Counter {
	/** @returns undefined if it is taken, otherwise milliseconds until there is room for one */
	take(now: number): number | undefined;
	/** The gateway is done with a request that it took. */
	done(): void;
	/** Requests that it takes in a second, at most. */
	perSecond(serviceMs: number): number;
}

export function counterOf({ kind, requests, seconds }: PlanOf): Counter {
	const length = seconds * 1000;
	const rate = { done: () => undefined, perSecond: () => requests / seconds };
	if (kind === 'any') {
		const taken: number[] = [];
		return {
			...rate,
			take(now) {
				while (taken.length > 0 && (taken[0] as number) <= now - length) taken.shift();
				if (taken.length < requests) return void taken.push(now);
				return (taken[0] as number) + length - now;
			},
		};
	}
	if (kind === 'first') {
		let [ends, count] = [-Infinity, 0];
		return {
			...rate,
			take(now) {
				if (now >= ends) [ends, count] = [now + length, 0];
				return ++count <= requests ? undefined : ends - now;
			},
		};
	}
	if (kind === 'token' || kind === 'leaky') {
		// A leaky bucket holds few: it takes little more than an even flow.
		const size = kind === 'token' ? requests : Math.max(1, Math.floor(requests / 5));
		let [level, last] = [size, 0];
		return {
			...rate,
			take(now) {
				level = Math.min(size, level + ((now - last) * requests) / length);
				last = now;
				// What is lost in rounding is no token.
				if (level >= 1 - 1e-9) return void level--;
				return ((1 - level) * length) / requests;
			},
		};
	}
	if (kind === 'never' || kind === 'rarely') {
		const chance = chanceOf(1);
		return { ...rate, take: () => (kind === 'rarely' && chance() < 1 / 250 ? 300 : undefined) };
	}
	if (kind === 'shared') {
		const own = counterOf({ kind: 'any', requests, seconds, told: 'up' });
		let last = -Infinity;
		return {
			...own,
			take(now) {
				if (now >= 600_000) return own.take(now);
				if (now - last < 60_000) return 5_000;
				return void (last = now);
			},
		};
	}
	let underWay = 0;
	return {
		take: () => (underWay < requests ? void underWay++ : 1_000),
		done: () => underWay--,
		perSecond: (serviceMs) => (requests * 1000) / serviceMs,
	};
}

/** The headers of a refusal `ms` before there is room. */
export function headersOf(told: Told, ms: number): Record<string, string> {
	const date = new Date(Date.now()).toUTCString();
	if (told === 'missing') return { date };
	if (told === 'date') return { date, 'retry-after': new Date(Date.now() + ms).toUTCString() };
	const factor = told === 'half' ? 0.5 : told === 'more' ? 1.5 : 1;
	const seconds = (ms / 1000) * factor;
	return {
		date,
		'retry-after': String(told === 'down' ? Math.floor(seconds) : Math.ceil(seconds)),
	};
}
