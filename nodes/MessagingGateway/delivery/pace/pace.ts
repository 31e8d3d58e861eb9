import type { Failure } from '../../gateway/outcome';
import { Member, now, type PaceLimits, SharedPace, type Turn } from './sharedPace';
import { WINDOW } from './rollingWindow';

export type { PaceLimits, Turn } from './sharedPace';

/** The paces that somebody uses, or whose last minute still counts, by subscription. */
const paces = new Map<string, SharedPace>();
/** Those that nobody uses any more, in the order in which their last minutes end. */
const idle: Array<{ subscription: string; until: number }> = [];

/**
 * The pace of one subscription, as one execution sees it. All executions of this process share it and take
 * turns. It lasts as long as one of them uses it; where one of them had a limit, the requests of its last
 * minute are kept until another execution comes after that minute.
 */
export class Pace {
	private readonly member: Member;
	private hasLeft = false;

	private constructor(
		private readonly shared: SharedPace,
		private readonly subscription: string,
		limits: PaceLimits,
		private readonly halt: AbortSignal,
	) {
		this.member = new Member(limits);
		shared.add(this.member);
		halt.addEventListener('abort', this.onHalt);
	}

	/**
	 * @param subscription equal for two executions whose messages count for one plan; '' shares with nobody
	 * @param halt aborts when the execution needs no more turns
	 */
	static join(subscription: string, limits: PaceLimits, halt: AbortSignal): Pace {
		forgetIdle();
		const shared = paces.get(subscription) ?? new SharedPace();
		if (subscription !== '') paces.set(subscription, shared);
		return new Pace(shared, subscription, limits, halt);
	}

	/** How many paces are kept. */
	static get count(): number {
		return paces.size;
	}

	/** Whether nobody has to wait for anybody: there is no limit, and the gateway was never busy. */
	get isFree(): boolean {
		return this.shared.isFree;
	}

	/**
	 * Resolves to a turn when one more request may begin; to a failure at once if the gateway asks for a
	 * longer pause than anybody should wait for; to undefined when everything halts.
	 *
	 * @param isReturned the request gave back a turn that it could not use, and gets the next one
	 */
	async turn(isReturned = false): Promise<Turn | Failure | undefined> {
		return this.halt.aborted ? undefined : await this.shared.turn(this.member, isReturned);
	}

	/**
	 * Resolves when one more request may open its file before it asks for its turn, to a function that must
	 * be called when it has left; to undefined when everything halts.
	 */
	async file(): Promise<(() => void) | undefined> {
		return this.halt.aborted ? undefined : await this.shared.file(this.member);
	}

	/** The execution needs no more turns. */
	leave(): void {
		const { shared, subscription } = this;
		this.halt.removeEventListener('abort', this.onHalt);
		if (this.hasLeft) return;
		this.hasLeft = true;
		if (shared.remove(this.member)) {
			if (subscription !== '' && shared.isRemembered) {
				shared.idleUntil = now() + WINDOW;
				idle.push({ subscription, until: shared.idleUntil });
			} else {
				paces.delete(subscription);
			}
		}
		forgetIdle();
	}

	private readonly onHalt = () => this.shared.leaveQueues(this.member);
}

function forgetIdle(): void {
	const time = now();
	for (let [first] = idle; first && first.until <= time; [first] = idle) {
		idle.shift();
		// Somebody may have used it since.
		if (paces.get(first.subscription)?.idleUntil === first.until) paces.delete(first.subscription);
	}
}
