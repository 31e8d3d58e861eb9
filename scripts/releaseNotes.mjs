/**
 * Prints what the changelog says of a release, for its page: `node scripts/releaseNotes.mjs v1.0.0`.
 * Fails where the tag, the version of the package and the changelog do not agree.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [tag] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function fail(message) {
	console.error(message);
	process.exit(1);
}

if (tag !== `v${version}`) {
	fail(`The tag is ${tag ?? 'missing'}, but the version in package.json is ${version}.`);
}

const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
const section = sections.find((each) => each.startsWith(`[${version}]`));
const [, date, notes] = /^\[[^\]]+\] - (\d{4}-\d{2}-\d{2})\n([^]*)$/.exec(section ?? '') ?? [];
if (!date || !notes?.trim()) {
	fail(`CHANGELOG.md has no section “## [${version}] - YYYY-MM-DD” that says something.`);
}
console.log(notes.trim());
