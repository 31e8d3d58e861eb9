export type { Plan } from './plan';
export { startGateway } from './server';
export type {
	Fault,
	Gateway,
	GatewayOptions,
	Misbehavior,
	QueuedMessage,
	ReceivedBody,
	ReceivedFile,
	ReceivedRequest,
} from './types';
