import { Tally } from '../../../../nodes/MessagingGateway/delivery/pace/tally';

it('a number counts in a tally until it is taken out as often as it was put in', () => {
	const tally = new Tally();
	for (const value of [3, 3, 5]) tally.add(value);
	const left = [3, 3, 5].map((value) => {
		tally.remove(value);
		return [tally.lowest(), tally.highest()];
	});
	expect(left).toEqual([
		[3, 5],
		[5, 5],
		[Infinity, 0],
	]);
});
