import * as z from 'zod';
import type { AppError } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/json.ts';
import { clientError } from '../../errors/clientErrors.ts';
import type { Author, ChangeReview } from '../../seen/ports/actingPort.ts';
import { cutMiddle, usualChars } from './budget.ts';
import { answerText } from './texts.ts';
import type { ToolAnnotations } from './tool.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** What the acting tools share. */
export const done = z.object({ ok: z.literal(true) });
export const succeeded: z.input<typeof done> = { ok: true };

/** The same as `done`, and whether the person changed what was proposed. */
export const reviewed = z.object({
  ok: z.literal(true),
  outcome: z.literal('partlyAccepted').optional().describe('Set when the person took a part of the change back or wrote something else'),
  note: z.string().optional().describe('Set when there was nothing to change'),
});

/** Of what was run. */
export const runOutput = {
  exitCode: z.int().optional(),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
  note: z.string().optional().describe('Why something is missing'),
};

/** How it began and ended, if it wrote more than an answer has room for. */
export function boundedOutput(output: string, pointer: string): string {
  return cutMiddle(output, usualChars - 1_000, pointer);
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

export function authorOf({ credential, callsItself }: Viewer): Author {
  return { credentialId: credential.id, name: callsItself };
}

/** Equal for an identical retry only, so that the retry finds the question that is already open. */
export function reviewKey(tool: string, input: object): string {
  return canonicalJson([tool, input]);
}

/** A rejected change is a failed call, with the person's reason. */
export function demandAccepted(review: ChangeReview): z.input<typeof reviewed> {
  if (review.outcome === 'rejected') {
    throw rejected(review.reason);
  }
  return {
    ok: true,
    ...(review.outcome === 'partlyAccepted' && { outcome: review.outcome }),
    ...(review.note !== undefined && { note: review.note }),
  };
}

export function rejected(reason: string | undefined): AppError {
  return reason === undefined ? clientError('editor.rejectedWithoutReason') : clientError('editor.rejected', { reason });
}
