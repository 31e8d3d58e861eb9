/** What `npm run n8n` tells a person once everything is running. */
import { OWNER } from './server/api';
import { COUNTRY_CODE, UNCERTAIN_NUMBER } from './practice';

export interface Running {
	editorUrl: string;
	/** Of the workflow to begin with. */
	workflowId: string;
	/** As typed into a credential. */
	gateway: { baseUrl: string; token: string; deviceId: string };
	/** The folder that workflows may read and write. */
	files: string;
	/** Names of workflows that were left as they are, because somebody may have edited them. */
	outdated: string[];
}

export function instructions({ editorUrl, workflowId, gateway, files, outdated }: Running): string {
	return `
n8n is running, with the Messaging Gateway node and a practice gateway in it.
The practice gateway delivers to its outbox page only: nothing leaves this computer.

  1. Open      ${editorUrl}/workflow/${workflowId}
     Email     ${OWNER.email}
     Password  ${OWNER.password}
  2. Click "Execute workflow" below the canvas.
  3. See what arrived in the outbox: ${gateway.baseUrl}/

The examples are under Workflows (${editorUrl}/home/workflows), ready to run, with the
credential "Practice gateway". Examples 6 and 10 also need an OpenAI key.
Their files: ${files}

To practice making a credential of your own:
  Base URL              ${gateway.baseUrl}
  Access Token          ${gateway.token}
  Device ID             ${gateway.deviceId}
  Default Country Code  your own country, such as 34
To see an uncertain error, send to ${UNCERTAIN_NUMBER.replace(/^0/, `+${COUNTRY_CODE}`)}: the practice gateway breaks on it.

Ctrl-C stops n8n and the gateway. What you change is kept for the next time.
${aboutOutdated(outdated)}`;
}

function aboutOutdated(names: string[]): string {
	if (names.length === 0) return '';
	return `
These workflows were kept, as you may have edited them, though this project has others now. To
get the project's, rename yours, and start again:
${names.map((name) => `  ${name}`).join('\n')}
`;
}
