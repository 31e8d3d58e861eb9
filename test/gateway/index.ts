export { startGateway } from './server';
export type {
	Gateway,
	GatewayOptions,
	Misbehaviour,
	QueuedMessage,
	ReceivedFile,
	ReceivedRequest,
} from './types';
