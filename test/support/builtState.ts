/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type * as Built from '../../nodes/MessagingGateway/MessagingGateway.node';
import { requireFor } from './mainRealm';

/** What the executions of the built node share, which is not the state of its sources. */
export const { inUse } = requireFor(__filename)(
	'../../dist/nodes/MessagingGateway/MessagingGateway.node',
) as typeof Built;
