/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- runs outside of n8n */
/** `npm run plans -- --seed 1 --runs 3`: prints how the pace learns each plan under each load, in virtual time. */
import { parseArgs } from 'node:util';
import { simulate, type Case, type Load } from '../test/support/plans/simulate';
import type { PlanKind, Told } from '../test/support/plans/gateways';

const text = { type: 'string' } as const;
const { values } = parseArgs({
	options: { seed: text, runs: text, only: text, all: { type: 'boolean' } },
});
const first = Number(values.seed ?? 1);
const runs = Number(values.runs ?? 2);
const KINDS: PlanKind[] = ['any', 'first', 'token', 'leaky', 'underWay'];
const TOLD: Told[] = ['up', 'down', 'date', 'missing', 'half', 'more'];
const LOADS: Load[] = ['hundred', 'late', 'thousand', 'trickle', 'mixed', 'uploads'];

async function main(): Promise<void> {
	const lines: string[] = [];
	for (const load of LOADS) {
		for (const kind of KINDS) {
			for (const isSlow of [false, true]) {
				let [over, worst, used, wait, most, cases] = [0, '', Infinity, 0, 0, 0] as [
					number,
					string,
					number,
					number,
					number,
					number,
				];
				let worstUsed = '';
				let lostCount = 0;
				for (const told of TOLD) {
					for (let seed = first; seed < first + runs; seed++) {
						const one: Case = {
							kind,
							told,
							load,
							isSlow,
							seed,
							requests: kind === 'underWay' ? 5 : 20,
							seconds: 10,
						};
						const name = `${told}/${seed}`;
						if (values.only && !`${load} ${kind} ${isSlow} ${name}`.includes(values.only)) continue;
						const m = await simulate(one);
						cases++;
						if (values.all)
							console.log(load, kind, isSlow ? 'slow' : 'quick', name, JSON.stringify(m));
						if (m.sent < m.asked) {
							lostCount += m.asked - m.sent;
						}
						const beyond = (m.refused - m.before) / Math.max(1, m.after);
						if (beyond > over)
							[over, worst] = [beyond, `${m.refused - m.before} of ${m.after} (${name})`];
						if (m.used < used) [used, worstUsed] = [m.used, name];
						wait = Math.max(wait, m.longestWait);
						most = Math.max(most, m.mostOfOne);
					}
				}
				if (cases === 0) continue;
				lines.push(
					[
						load,
						kind,
						isSlow ? 'slow' : 'quick',
						`lost ${lostCount}`,
						`beyond ${(over * 100).toFixed(1)} % ${worst}`,
						`used ${(used * 100).toFixed(0)} % ${worstUsed}`,
						`wait ${(wait / 1000).toFixed(1)} s`,
						`most ${most}`,
					].join(' | '),
				);
				if (!values.all) console.log(lines.at(-1));
			}
		}
	}
}

void main();
