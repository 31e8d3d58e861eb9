module.exports = {
	...require('./dist/nodes/MessagingGateway/MessagingGateway.node.js'),
	...require('./dist/credentials/MessagingGatewayApi.credentials.js'),
};
