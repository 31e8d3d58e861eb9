import { decodeFlatted } from './flatted';

test('strings are looked up in the table, other values are used as they are', () => {
	const stored = '[{"name":"1","count":2,"empty":null,"list":"2"},"Ana",["1",true,"3"],"x"]';
	expect(decodeFlatted(stored)).toEqual({
		name: 'Ana',
		count: 2,
		empty: null,
		list: ['Ana', true, 'x'],
	});
});

test('a value that contains itself is decoded', () => {
	const decoded = decodeFlatted('[{"self":"0"}]') as { self: unknown };
	expect(decoded.self).toBe(decoded);
});
