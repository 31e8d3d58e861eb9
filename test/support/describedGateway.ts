/** A practice gateway that holds each request against docs/gateway.openapi.yaml. */
import { startGateway, type Gateway, type GatewayOptions } from '../../practice-gateway/index';
import { ApiDescription } from './apiDescription';

const description = new ApiDescription();
/** What of the requests of a test the description does not allow. */
const undescribed: string[] = [];

afterEach(() => expect(undescribed.splice(0)).toEqual([]));

/** Starts a gateway. A test fails after a request that is not as described. */
export async function startDescribedGateway(options: GatewayOptions = {}): Promise<Gateway> {
	return await startGateway({
		onBody: (body) => undescribed.push(...description.problemsOf(body)),
		...options,
	});
}
