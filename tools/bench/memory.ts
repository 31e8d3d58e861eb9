/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** The memory of a process, in MB, as Linux reports it. */
import { readFileSync, writeFileSync } from 'node:fs';

export function residentMb(pid: number): number {
	return statusMb(pid, 'VmRSS');
}

/** Returns the peak since the last `resetPeak`. */
export function peakMb(pid: number): number {
	return statusMb(pid, 'VmHWM');
}

export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMb(pid: number, field: string): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
}
