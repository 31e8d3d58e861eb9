/** The memory of a process, in MB, as Linux counts it. */
import { readFileSync, writeFileSync } from 'node:fs';

export function residentMb(pid: number): number {
	return statusMb(pid, 'VmRSS');
}

/** The most that it has held since `forgetPeak`. */
export function peakMb(pid: number): number {
	return statusMb(pid, 'VmHWM');
}

export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMb(pid: number, field: string): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
}
