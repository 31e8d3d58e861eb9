import { isBlank, toIdentifier } from '../input/text';
import { InputError } from '../shared/inputError';

/**
 * Returns the device that sends: that of the option, or of the credential if the option is empty.
 *
 * @throws InputError if there is none, or if an expression gives nothing: the message would come from another phone
 */
export function toDeviceId(option: unknown, isExpression: boolean, ofCredential: string): string {
	if (isExpression && isBlank(option)) {
		throw new InputError(
			"The expression in the option 'Device ID' gives nothing",
			'Correct it, or remove the option to use the device in the credential.',
		);
	}
	const deviceId = toIdentifier(option, 'device ID') || ofCredential;
	if (deviceId !== '') return deviceId;
	throw new InputError(
		'The Device ID is missing',
		"Enter it in the credential, or set the option 'Device ID'.",
	);
}
