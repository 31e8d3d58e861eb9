import { FairQueue, Line } from '../../../../nodes/MessagingGateway/delivery/pace/fairQueue';

/** Adds each word to the line of its first letter. */
function queueOf(...words: string[]) {
	const queue = new FairQueue<string>();
	const lines = new Map<string, Line<string>>();
	const lineOf = (word: string) => {
		const known = lines.get(word.charAt(0)) ?? new Line<string>();
		lines.set(word.charAt(0), known);
		return known;
	};
	const add = (...more: string[]) => more.forEach((word) => queue.add(lineOf(word), word));
	/** Takes some out; each of them begins. */
	const take = (count = queue.size) =>
		Array.from({ length: count }, () => {
			const word = queue.shift() ?? '';
			lineOf(word).hadTurn = true;
			return word;
		});
	add(...words);
	return { queue, add, take, lineOf };
}

it('an execution in the queue takes turns with the others, one each, however many it has', () => {
	const { take } = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
	expect(take()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

it('an execution comes first in the queue if it has had no turn yet', () => {
	const { add, take } = queueOf('a1', 'a2', 'a3', 'b1', 'b2');
	expect(take(2)).toEqual(['a1', 'b1']);
	add('c1', 'd1', 'c2');
	expect(take()).toEqual(['c1', 'd1', 'a2', 'b2', 'c2', 'a3']);
});

it('an execution goes to the end of the queue if it has had a turn and comes again', () => {
	const { add, take } = queueOf('a1', 'b1', 'b2');
	expect(take(1)).toEqual(['a1']);
	add('a2');
	expect(take()).toEqual(['b1', 'a2', 'b2']);
});

it('an execution comes before all in the queue if it gave its turn back', () => {
	const { queue, lineOf, take } = queueOf('a1', 'a2', 'b1');
	queue.addReturned(lineOf('a'), 'a0');
	expect([queue.size, take()]).toEqual([4, ['a0', 'a1', 'b1', 'a2']]);
});

it('an execution is taken out of the queue with all of its own, and holds up nobody', () => {
	const { queue, lineOf, take, add } = queueOf('a1', 'a2', 'b1', 'b2');
	queue.addReturned(lineOf('a'), 'a0');
	queue.addReturned(lineOf('b'), 'b0');
	expect(queue.remove(lineOf('a'))).toEqual(['a0', 'a1', 'a2']);
	expect([queue.size, take(2)]).toEqual([3, ['b0', 'b1']]);
	expect(queue.remove(lineOf('b'))).toEqual(['b2']);
	expect([queue.size, queue.shift()]).toEqual([0, undefined]);
	add('c1');
	expect(take()).toEqual(['c1']);
});
