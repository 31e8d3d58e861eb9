/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import type * as Deliveries from '../../../nodes/MessagingGateway/delivery/delivery';
import type * as Histories from '../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import type * as Journals from '../../../nodes/MessagingGateway/delivery/memory/journal';
import type * as Locks from '../../../nodes/MessagingGateway/delivery/memory/historyLock';
import type * as Answers from '../../../nodes/MessagingGateway/gateway/answer';
import type * as Results from '../../../nodes/MessagingGateway/delivery/result';
import type { World } from './world';

const ROOT = join(__dirname, '../../../nodes/MessagingGateway');
const GLOBALS = ['exports', 'require', 'Date', 'Math', 'performance'];
const requireFromHere = createRequire(__filename);

/** A mistake: what stands in a file of the node, and what stands there instead. */
export interface Defect {
	file: string;
	from: string;
	to: string;
}

/** What one n8n process has loaded. */
export type Room = typeof Deliveries &
	typeof Histories &
	typeof Journals &
	typeof Locks &
	typeof Results &
	typeof Answers;

type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;
type Module = (...globals: unknown[]) => void;

/** The source of the delivery, which each process loads anew: with its own state, and the world's time and chance. */
export class Source {
	private readonly modules = new Map<string, Module>();
	/** By importing file and name. */
	private readonly paths = new Map<string, string>();
	private readonly unused: Set<Defect>;

	constructor(private readonly defects: Defect[] = []) {
		this.unused = new Set(defects);
	}

	load(world: World, sleep: Sleep): Room {
		const loaded = new Map<string, object>([['n8n-workflow', { sleep }]]);
		const load = (path: string): object => {
			const known = loaded.get(path);
			if (known) return known;
			const exports = {};
			loaded.set(path, exports);
			const require = (name: string): unknown => {
				if (!name.startsWith('.')) return loaded.get(name) ?? requireFromHere(name);
				const place = `${path} ${name}`;
				const found = this.paths.get(place) ?? join(dirname(path), name);
				this.paths.set(place, found);
				return load(found);
			};
			this.compiled(path)(exports, require, world.Date, world.Math, world.performance);
			return exports;
		};
		const memory = ['memory/journal', 'memory/keyHistory', 'memory/historyLock'];
		const names = ['delivery', 'result', ...memory].map((name) => `delivery/${name}`);
		const room = Object.assign(
			{},
			...[...names, 'gateway/answer'].map((name) => load(join(ROOT, name))),
		) as Room;
		const [left] = this.unused;
		if (left) throw new Error(`${left.file} no longer has: ${left.from}`);
		return room;
	}

	private compiled(path: string): Module {
		const known = this.modules.get(path);
		if (known) return known;
		const file = `${path}.ts`;
		let text = readFileSync(file, 'utf8');
		for (const defect of this.defects) {
			if (defect.file !== relative(ROOT, file) || !text.includes(defect.from)) continue;
			text = text.replace(defect.from, defect.to);
			this.unused.delete(defect);
		}
		const compilerOptions = {
			module: ts.ModuleKind.CommonJS,
			target: ts.ScriptTarget.ES2022,
			esModuleInterop: true,
		};
		const { outputText } = ts.transpileModule(text, { compilerOptions });
		const module = compileFunction(outputText, GLOBALS, { filename: file }) as Module;
		this.modules.set(path, module);
		return module;
	}
}
