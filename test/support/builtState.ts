import type * as KeyQueues from '../../nodes/MessagingGateway/delivery/memory/keyQueue';
import type * as Paces from '../../nodes/MessagingGateway/delivery/pace/pace';

const DELIVERY = '../../dist/nodes/MessagingGateway/delivery';

/** The classes of the built node, which the engine loads, so that tests can look at what they hold. */
export const { Pace } = jest.requireActual<typeof Paces>(`${DELIVERY}/pace/pace`);
export const { KeyQueue } = jest.requireActual<typeof KeyQueues>(`${DELIVERY}/memory/keyQueue`);
