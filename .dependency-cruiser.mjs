/** The rooms of the node and what they may import; .github/CONTRIBUTING.md shows the same table. `npm run lint` checks it. */

/** What each room may import besides itself and shared/: `values` whole, of `types` only types and all of gateway/outcome.ts. */
const rooms = {
	shared: {},
	ask: {},
	input: {},
	numbers: { values: ['input'] },
	files: { values: ['input'] },
	gateway: {},
	delivery: { types: ['gateway'] },
	'delivery/pace': { types: ['gateway', 'delivery'] },
	'delivery/memory': { types: ['gateway', 'delivery'] },
	operations: { types: ['delivery', 'gateway'], values: ['input', 'numbers', 'files'] },
	output: {
		types: ['gateway', 'operations'],
		values: ['numbers', 'delivery', 'delivery/pace', 'delivery/memory'],
	},
};

const NODE = 'nodes/MessagingGateway';
const ENTRY_POINTS = '\\.(node|credentials)\\.ts$';
const OUTCOME = `^${NODE}/gateway/outcome\\.ts$`;

const innerRoomsOf = (room) => Object.keys(rooms).filter((other) => other.startsWith(`${room}/`));
const pathOf = (room) => `^${NODE}/${room}/`;

function rulesOf([room, { types = [], values = [] }]) {
	const from = { path: pathOf(room), pathNot: innerRoomsOf(room).map(pathOf) };
	const siblings = innerRoomsOf(room.replace(/\/.*/, '')).filter(
		(other) => room.includes('/') && other !== room,
	);
	const allowed = [room, 'shared', ...values].map(pathOf);
	return [
		{
			name: `room ${room}`,
			comment: 'What every room needs belongs in shared/; anything else is passed in by run.ts.',
			severity: 'error',
			from,
			to: { path: `^${NODE}/`, pathNot: [...allowed, ...types.map(pathOf)] },
		},
		...siblings.map((sibling) => ({
			name: `room ${room} beside ${sibling}`,
			comment: 'The rooms within a room know nothing of each other.',
			severity: 'error',
			from,
			to: { path: pathOf(sibling) },
		})),
		...types.map((other) => ({
			name: `room ${room}: only types of ${other}`,
			severity: 'error',
			from,
			to: {
				path: pathOf(other),
				pathNot: [...allowed, OUTCOME],
				dependencyTypesNot: ['type-only'],
			},
		})),
	];
}

export default {
	forbidden: [
		...Object.entries(rooms).flatMap(rulesOf),
		{
			name: 'no circle',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no orphan',
			comment: 'Nothing that n8n loads leads to this file.',
			severity: 'error',
			from: { path: ENTRY_POINTS },
			to: { path: '^(nodes|credentials)/', pathNot: ENTRY_POINTS, reachable: false },
		},
		{
			name: 'imports stand at the top',
			severity: 'error',
			from: {},
			to: { dependencyTypes: ['dynamic-import', 'type-import'] },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		// Imports of types, too.
		tsPreCompilationDeps: true,
	},
};
