import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import type { CallContext } from '../catalog/catalog.ts';
import type { Author, ChangeReview } from '../../seen/ports/actingPort.ts';
import { answerText, clip, cutMiddle, fitAnswer, maxReasonChars, type Measured, usualChars } from './answers.ts';
import type { ToolAnnotations } from './tool.ts';

/** The answer of an acting tool that has nothing to tell but that it is done. */
export const done = z.object({ ok: z.literal(true) });
export const succeeded: z.input<typeof done> = { ok: true };

/** The answer of a tool whose change the person reviewed. A rejection is an ordinary answer, not a failure. */
export const reviewed = z.object({
  outcome: z.enum(['accepted', 'partlyAccepted', 'rejected']).describe('partlyAccepted: they took a part back or wrote something else'),
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  files: z.array(z.string()).describe('The files that were changed'),
  note: z.string().optional().describe('Why nothing changed, or what is left out'),
});

/** The members of an answer that describe what was run. */
export const runOutput = {
  exitCode: z.int().optional(),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
  note: z.string().optional().describe('Why something is missing'),
};

/** Shortens the output of a run to what an answer has room for beside `others`: its beginning and its end are kept. */
export function boundedOutput(output: string, pointer: string, others: object = {}): string {
  return cutMiddle(output, usualChars - 1_000 - JSON.stringify(others).length, pointer);
}

interface Ran {
  readonly exitCode?: number | undefined;
  readonly output?: string | undefined;
  readonly note?: string | undefined;
}

export function outputText({ exitCode, output, note }: Ran): string {
  const lines = [exitCode === undefined ? undefined : `Exit code ${exitCode}.`, output === '' ? 'It wrote nothing.' : output];
  return answerText(
    lines.filter((line) => line !== undefined),
    { note },
  );
}

export function doneText(): string {
  return 'Done.';
}

/** Annotations of a tool that changes text or files after the person has agreed. */
export const changesText = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const satisfies ToolAnnotations;

/** Annotations of a tool that runs something, which can do whatever the person could do. */
export const runsAnything: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

export function authorOf({ viewer, ownCallId }: Pick<CallContext, 'viewer' | 'ownCallId'>): Author {
  return { credentialId: viewer.credential.id, name: viewer.callsItself, ...(ownCallId !== undefined && { ownCallId }) };
}

/** The key of a review question. Only an identical retry has the same key, and so finds the question that is already open. */
export function reviewKey(tool: string, input: object): string {
  return canonicalJson([tool, input]);
}

export function toReviewed({ outcome, reason, files, note }: ChangeReview): Measured<z.input<typeof reviewed>> {
  const build = (shown: readonly string[]): z.input<typeof reviewed> => {
    const more = files.length - shown.length;
    const notes = [...(note === undefined ? [] : [note]), ...(more > 0 ? [`${more} more files were changed.`] : [])];
    return {
      outcome,
      ...(reason !== undefined && { reason: clip(reason, maxReasonChars) }),
      files: [...shown],
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  };
  return fitAnswer(files, usualChars, build, reviewedText);
}

export function reviewedText({ outcome, reason, files, note }: z.input<typeof reviewed>): string {
  return [reason === undefined ? outcome : `${outcome}: ${reason}`, ...files, ...(note === undefined ? [] : [note])].join('\n');
}
