import { Notices } from '../../../nodes/MessagingGateway/delivery/notices';

const hintsOf = (use: (notices: Notices) => void) => {
	const notices = new Notices();
	use(notices);
	return notices.toHints();
};

describe('notices of a run', () => {
	it('are none where nothing happened', () => {
		expect(hintsOf(() => undefined)).toEqual([]);
	});

	it('stand beside the output', () => {
		expect(hintsOf((notices) => notices.say('Something.'))).toEqual([
			{ message: 'Something.', location: 'outputPane' },
		]);
	});

	it.each([
		['duplicates', '1 duplicate phone number removed', '2 duplicate phone numbers removed'],
		['countryCodeAdded', '1 phone number with a leading 0', '2 phone numbers with a leading 0'],
		['mayLackZero', '1 phone number begins with neither', '2 phone numbers begin with neither'],
		[
			'oddZero',
			'1 phone number went out with a zero that is not dialled, as in +62 (0)812 or 6281234567890.0. Correct it where it comes from.',
			'2 phone numbers went out with a zero that is not dialled, as in +62 (0)812 or 6281234567890.0. Correct them where they come from.',
		],
		['skipped', '1 item not sent, because an', '2 items not sent, because an'],
		['uncertain', '1 request may or may not', '2 requests may or may not'],
		[
			'replayed',
			'1 request not sent again: the gateway had taken it in',
			'2 requests not sent again: the gateway had taken them in',
		],
	] as const)('count %s', (notice, one, two) => {
		expect(hintsOf((notices) => notices.count(notice))[0]?.message).toContain(one);
		const both = hintsOf((notices) => {
			notices.count(notice);
			notices.count(notice);
		});
		expect(both).toHaveLength(1);
		expect(both[0]?.message).toContain(two);
	});
});
