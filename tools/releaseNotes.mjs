/**
 * `node tools/releaseNotes.mjs v1.2.3`: prints the section of CHANGELOG.md about that version, for the GitHub
 * release. Ends with an error, before anything is published, if the tag is not the version of package.json, or the
 * changelog has no dated section for it, or an empty one.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function read(file) {
	return readFileSync(join(root, file), 'utf8');
}

function refuse(reason) {
	console.error(`This cannot be released: ${reason}`);
	process.exit(1);
}

/** A day that exists: Date takes the 31st of February for a day in March. */
function isDay(text) {
	const day = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text);
}

/** The heading of a version, and the text below it, up to the next version or the links. */
function sectionOf(version, changelog) {
	const lines = changelog.split(/\r?\n/);
	const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
	if (start === -1) return undefined;
	const length = lines.slice(start + 1).findIndex((line) => /^(## |\[[^\]]+\]: )/.test(line));
	const end = length === -1 ? lines.length : start + 1 + length;
	return {
		heading: lines[start],
		notes: lines
			.slice(start + 1, end)
			.join('\n')
			.trim(),
	};
}

const [tag] = process.argv.slice(2);
const { version } = JSON.parse(read('package.json'));
if (!tag) refuse('no tag was named. Example: node tools/releaseNotes.mjs v1.2.3');
if (tag !== `v${version}`) {
	refuse(`the tag is ${tag}, but the version in package.json is ${version}.`);
}

const section = sectionOf(version, read('CHANGELOG.md'));
if (!section) refuse(`CHANGELOG.md has no section "## [${version}]".`);
const [, day] = /^## \[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(section.heading) ?? [];
if (!day || !isDay(day)) {
	refuse(`CHANGELOG.md has "${section.heading}", and it should be "## [${version}] - YYYY-MM-DD".`);
}
if (!section.notes) refuse(`CHANGELOG.md says nothing of ${version}.`);
console.log(section.notes);
