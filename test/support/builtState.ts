import type * as Built from '../../nodes/MessagingGateway/MessagingGateway.node';

/** Of the built node, which the engine loads. */
export const { inUse } = jest.requireActual<typeof Built>(
	'../../dist/nodes/MessagingGateway/MessagingGateway.node',
);
