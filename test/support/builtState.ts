import type * as KeyLines from '../../nodes/MessagingGateway/delivery/memory/keyHistory';
import type * as Paces from '../../nodes/MessagingGateway/delivery/pace/pace';

const DELIVERY = '../../dist/nodes/MessagingGateway/delivery';

/** The classes of the built node, which the engine loads, so that tests can look at what they hold. */
export const { Pace } = jest.requireActual<typeof Paces>(`${DELIVERY}/pace`);
export const { KeyLine } = jest.requireActual<typeof KeyLines>(`${DELIVERY}/keyLine`);
