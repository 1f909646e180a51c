import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import type { CallContext } from '../catalog/catalog.ts';
import type { Author, ChangeReview } from '../../seen/ports/actingPort.ts';
import { answerText, clip, cutMiddle, fitAnswer, maxReasonChars, type Measured, usualChars } from './answers.ts';
import type { ToolAnnotations } from './tool.ts';

/** What the acting tools share. */
export const done = z.object({ ok: z.literal(true) });
export const succeeded: z.input<typeof done> = { ok: true };

/** Of a change that the person reviewed. That they do not want it is an answer, not a failure. */
export const reviewed = z.object({
  outcome: z.enum(['accepted', 'partlyAccepted', 'rejected']).describe('partlyAccepted: they took a part back or wrote something else'),
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  files: z.array(z.string()).describe('The files that were changed'),
  note: z.string().optional().describe('Why nothing changed, or what is left out'),
});

/** Of what was run. */
export const runOutput = {
  exitCode: z.int().optional(),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
  note: z.string().optional().describe('Why something is missing'),
};

/** How it began and ended, if it wrote more than an answer has room for beside `others`. */
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

/** Changes text or files after the person agreed. */
export const changesText = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const satisfies ToolAnnotations;

/** Runs something: it can do whatever the person could. */
export const runsAnything: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

export function authorOf({ viewer, ownCallId }: Pick<CallContext, 'viewer' | 'ownCallId'>): Author {
  return { credentialId: viewer.credential.id, name: viewer.callsItself, ...(ownCallId !== undefined && { ownCallId }) };
}

/** Equal for an identical retry only, so that the retry finds the question that is already open. */
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
