import type { INode, INodeParameters } from 'n8n-workflow';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';

const given = (parameters: INodeParameters) =>
	new GivenOptions({ getNode: () => ({ parameters }) as INode });

it.each<[string, unknown, boolean]>([
	['an expression', '={{ $json.a }}', true],
	['an expression that returns nothing', '={{ }}', true],
	['an expression after a blank', '= {{ $json.a }}', true],
	['a text with an expression in it', '=a {{ $json.a }}', true],
	['a field switched to an expression and left empty', '=', false],
	['the same with blanks', '= \n', false],
	['a fixed text', '{{ $json.a }}', false],
	['a fixed text with an equals sign in it', 'a=b', false],
	['a list', ['=a'], false],
	['a field left empty', '', false],
	['true', true, false],
	['null', null, false],
])('an option that is %s is known as that', (_, value, isExpression) => {
	const options = given({ options: { sendOnceKey: value } as INodeParameters });
	expect(options.has('sendOnceKey')).toBe(true);
	expect(options.isExpression('sendOnceKey')).toBe(isExpression);
	expect(options.expressionOf('sendOnceKey')).toBe(isExpression ? value : undefined);
});

it('an option that the node does not have is not given', () => {
	for (const options of [given({}), given({ options: {} })]) {
		expect([options.has('toString'), options.isExpression('toString')]).toEqual([false, false]);
	}
});
