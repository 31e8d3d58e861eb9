/** A picture that shows several screenshots one after another, for the README. */

export interface Frame {
	/** What the person does, in a few words. */
	caption: string;
	png: Buffer;
}

/** Seconds. */
const FRAME_TIME = 4;
/** Pixels. */
const MARGIN = 16;
const CAPTION = 48;

/** Returns an animated SVG. Where nothing moves, it shows the first frame; where a person wants no motion, the last. */
export function toSequence(frames: Frame[]): string {
	const sizes = frames.map(({ png }) => sizeOf(png));
	const width = Math.max(...sizes.map((size) => size.width)) + 2 * MARGIN;
	const height = Math.max(...sizes.map((size) => size.height)) + CAPTION + MARGIN;
	const shown = 100 / frames.length;
	const pictures = frames.map(({ caption, png }, at) => {
		const size = sizes[at] as Size;
		const x = Math.round((width - size.width) / 2);
		const box = `x="${x}" y="${CAPTION}" width="${size.width}" height="${size.height}"`;
		return `<g class="frame" style="animation-delay:${at * FRAME_TIME}s">
<text x="${width / 2}" y="31" text-anchor="middle">${at + 1} of ${frames.length}: ${capitalized(caption)}</text>
<image ${box} href="data:image/png;base64,${png.toString('base64')}"/>
<rect ${box} fill="none" stroke="#c9cdd2"/>
</g>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>
text{font:600 18px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328}
.frame{opacity:0;animation:show ${frames.length * FRAME_TIME}s step-end infinite}
.frame:first-of-type{opacity:1}
@keyframes show{0%{opacity:1}${shown}%{opacity:0}100%{opacity:0}}
@media (prefers-reduced-motion:reduce){.frame{animation:none;opacity:0}.frame:last-of-type{opacity:1}}
</style>
<rect width="${width}" height="${height}" fill="#f6f8fa"/>
${pictures.join('\n')}
</svg>
`;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Size {
	width: number;
	height: number;
}

/** A PNG file begins with its signature and a chunk that holds its size. */
function sizeOf(png: Buffer): Size {
	return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
