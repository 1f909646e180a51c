import type { NamedTool } from './audit/decisionRecords.ts';
import type { ConsentGate } from './consentGate.ts';
import { type ConsentRequest, isSettledByPress, type RunPress } from './consentModel.ts';

// What the person has had in view to its end: what they have read in questions, and a call that they made by pressing Run below all of it.

/** A call for which the person pressed Run. */
export interface PressedCall {
  readonly request: ConsentRequest;
  readonly press: RunPress;
  /** The fingerprint of the arguments that would be sent. */
  readonly arguments: string;
  readonly names: NamedTool;
  /** The call only reads from the editor; see `MadeDecision`. */
  readonly isReading: boolean;
}

/**
 * Decides a call by a press of Run, and records the decision as the person's own. It counts once: nothing is remembered but that the
 * definition was read. False where the press does not settle the call, which is then decided like any other.
 */
export async function isAllowedByPress(gate: Pick<ConsentGate, 'verdict' | 'record' | 'read'>, call: PressedCall): Promise<boolean> {
  const { request, press, arguments: args, names, isReading } = call;
  const isSettled = (): boolean => isSettledByPress(request, args, press, gate.verdict(request));
  if (!isSettled()) {
    return false;
  }
  await gate.record({ request, detail: names, isReading, outcome: 'allowed', by: 'person' });
  // Writing the record may take a while, in which the tool can be refused.
  if (!isSettled()) {
    return false;
  }
  gate.read.add(request);
  return true;
}

/** The most questions of which it is remembered that they were read; the oldest is forgotten. */
const maxRemembered = 2_000;

/**
 * What the person has read to its end and allowed in this window, by its fingerprint. Only then may a question fold the description
 * away; one that has changed is shown whole again.
 */
export class ReadSubjects {
  readonly #read = new Set<string>();

  has(request: ConsentRequest): boolean {
    return this.#read.has(keyOf(request));
  }

  add(request: ConsentRequest): void {
    const [oldest] = this.#read;
    if (this.#read.size >= maxRemembered && oldest !== undefined) {
      this.#read.delete(oldest);
    }
    this.#read.add(keyOf(request));
  }
}

/** The key of what was read. It does not depend on who asks, because the same person has read it. */
function keyOf({ action, subject, fingerprint }: ConsentRequest): string {
  return JSON.stringify([action, subject, fingerprint]);
}
