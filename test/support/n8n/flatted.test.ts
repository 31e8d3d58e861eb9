import { decodeFlatted } from './flatted';

test('texts are looked up in the table, other values stand for themselves', () => {
	const stored = '[{"name":"1","count":2,"empty":null,"list":"2"},"Ana",["1",true,"3"],"x"]';
	expect(decodeFlatted(stored)).toEqual({
		name: 'Ana',
		count: 2,
		empty: null,
		list: ['Ana', true, 'x'],
	});
});

test('a value that contains itself comes back as such', () => {
	const decoded = decodeFlatted('[{"self":"0"}]') as { self: unknown };
	expect(decoded.self).toBe(decoded);
});
