import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import type { Author, ChangeReview } from '../../seen/ports/actingPort.ts';
import type { ToolAnnotations } from './tool.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** What the acting tools share. */
export const done = z.object({ ok: z.literal(true) });
export const succeeded: z.input<typeof done> = { ok: true };

/** Of a change that the person reviewed. That they do not want it is an answer, not a failure. */
export const reviewed = z.object({
  outcome: z.enum(['accepted', 'partlyAccepted', 'rejected']).describe('partlyAccepted: they took a part back or wrote something else'),
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  files: z.array(z.string()).describe('The files that were changed'),
  note: z.string().optional().describe('Set when there was nothing to change'),
});

/** Of what was run. */
export const runOutput = {
  exitCode: z.int().optional(),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
  note: z.string().optional().describe('Why something is missing'),
};

/** Changes text or files after the person agreed. */
export const changesText: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

/** Runs something: it can do whatever the person could. */
export const runsAnything: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

export function authorOf({ credential, callsItself }: Viewer): Author {
  return { credentialId: credential.id, name: callsItself };
}

/** Equal for an identical retry only, so that the retry finds the question that is already open. */
export function reviewKey(tool: string, input: object): string {
  return canonicalJson([tool, input]);
}

export function toReviewed({ outcome, reason, files, note }: ChangeReview): z.input<typeof reviewed> {
  return { outcome, ...(reason !== undefined && { reason }), files: [...files], ...(note !== undefined && { note }) };
}

export function reviewedText({ outcome, reason, files, note }: z.input<typeof reviewed>): string {
  return [reason === undefined ? outcome : `${outcome}: ${reason}`, ...files, ...(note === undefined ? [] : [note])].join('\n');
}
