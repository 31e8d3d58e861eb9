import { FairQueue, Line } from '../../../../nodes/MessagingGateway/delivery/pace/fairQueue';

interface Word {
	number: number;
	word: string;
}

/** Adds each word to the line of its first letter. */
function queueOf(...words: string[]) {
	const queue = new FairQueue<Word>();
	const lines = new Map<string, Line<Word>>();
	const numbers = new Map<string, number>();
	const lineOf = (word: string) => {
		const known = lines.get(word.charAt(0)) ?? new Line<Word>();
		lines.set(word.charAt(0), known);
		return known;
	};
	const add = (...more: string[]) => {
		for (const word of more) {
			const isAgain = numbers.has(word);
			const number = numbers.get(word) ?? numbers.size;
			numbers.set(word, number);
			queue.add(lineOf(word), { number, word }, isAgain);
		}
	};
	/** Takes some out; each of them begins, and is taken unless it is refused. */
	const take = (count = queue.size, isRefused = false) =>
		Array.from({ length: count }, () => {
			const word = queue.shift()?.word ?? '';
			if (!isRefused) lineOf(word).given++;
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

it('an execution that was refused keeps its place before those that came later', () => {
	const { add, take } = queueOf('a1', 'b1', 'c1');
	take(3, true);
	add('d1', 'c1', 'a1', 'b1');
	expect(take()).toEqual(['a1', 'b1', 'c1', 'd1']);
});

it('an execution that has more to send keeps its place as well, if all of it was refused', () => {
	const { add, take } = queueOf('a1', 'a2', 'b1', 'b2', 'c1', 'c2');
	expect(take(3, true)).toEqual(['a1', 'b1', 'c1']);
	add('d1', 'c1', 'a1');
	expect(take()).toEqual(['a1', 'c1', 'd1', 'b2', 'a2', 'c2']);
});

it('an execution that was refused comes first of those that had a turn, and after those that had none', () => {
	const { add, take } = queueOf('a1', 'a2', 'b1', 'b2');
	take(2);
	expect(take(1, true)).toEqual(['a2']);
	add('c1', 'a2');
	expect(take()).toEqual(['c1', 'a2', 'b2']);
});

it('an execution that comes again goes before a newcomer that came later, and past one that has left', () => {
	const { queue, lineOf, take, add } = queueOf('a1', 'b1', 'c1');
	take(1, true);
	queue.remove(lineOf('b'));
	add('a1');
	expect(take()).toEqual(['a1', 'c1']);
});

it('an execution in the queue keeps its turn when it has more to send', () => {
	const { take, add } = queueOf('a1', 'a2', 'b1', 'b2');
	take(2);
	add('a3');
	expect(take()).toEqual(['a2', 'b2', 'a3']);
});

it('an execution is taken out of the queue with all of its own, and holds up nobody', () => {
	const { queue, lineOf, take, add } = queueOf('a1', 'a2', 'b1', 'b2');
	expect(queue.remove(lineOf('a')).map(({ word }) => word)).toEqual(['a1', 'a2']);
	expect([queue.size, take(1)]).toEqual([2, ['b1']]);
	expect(queue.remove(lineOf('b')).map(({ word }) => word)).toEqual(['b2']);
	expect([queue.size, queue.shift()]).toEqual([0, undefined]);
	add('c1');
	expect(take()).toEqual(['c1']);
});

it('an execution that had a turn gets another among ten, however many newcomers come', () => {
	const { add, take } = queueOf('a1', 'a2', 'b1', 'b2');
	const served = take(2);
	for (let each = 0; each < 25; each++) {
		add(String.fromCharCode(0x100 + each));
		served.push(...take(1));
	}
	expect([served.indexOf('a2'), served.indexOf('b2')]).toEqual([9, 19]);
});
