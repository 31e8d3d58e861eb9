import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Holes } from '../../../nodes/MessagingGateway/operations/holes';

/** Looks at the text of a run with one item. */
async function holesIn(json: IDataObject, code: string, text: string) {
	const context = { getInputData: () => [{ json }] } as unknown as IExecuteFunctions;
	const holes = new Holes(context, 'text', `=Hi {{ ${code} }}`);
	holes.look(0, text);
	return await holes.report();
}

it('a hole in a text may be an object that has no text of its own, as the query of a webhook', async () => {
	const query = Object.assign(Object.create(null) as IDataObject, { utm: 'a' });
	expect(await holesIn({ query }, '$json.query', 'Hi [object Object]')).toEqual([
		{
			name: 'text',
			what: '“{{ $json.query }}” is an object, not text',
			fields: ['utm'],
			items: [0],
			of: 1,
		},
	]);
});

it('a hole in a text may be a field whose name differs in its signs only', async () => {
	expect(await holesIn({ 's_k_u!': 'a' }, '$json.sku', 'Hi ')).toMatchObject([
		{ missing: { field: 'sku', nearest: 's_k_u!' } },
	]);
});
