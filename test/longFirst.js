const Sequencer = require('@jest/test-sequencer').default;

/** In a fresh clone Jest knows no times, and would begin what takes long last, beside nothing. */
const LONG = [
	'node/pace',
	'project/package',
	'node/guards',
	'node/outcomes',
	'delivery/seeds',
	'gateway/client',
	'delivery/linear',
];

module.exports = class LongFirst extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => LONG.some((name) => path.includes(name));
		const sorted = super.sort(tests);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
