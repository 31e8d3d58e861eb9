import { Readable } from 'node:stream';
import { isStream } from '../../../nodes/MessagingGateway/shared/file';

it.each([undefined, null, '', {}, { pipe: true }])('the value %p is not a stream', (value) => {
	expect(isStream(value)).toBe(false);
});

it('a readable stream is a stream', () => {
	expect(isStream(Readable.from([]))).toBe(true);
});
