import * as z from 'zod';
import { hasCode } from '../../../base/errors.ts';
import type { DiagnosticEntry } from '../../seen/ports/editorPort.ts';
import { authorOf, changesText, reviewKey } from './actingShapes.ts';
import { diagnostic, pathInput, textRange } from './shapes.ts';
import { defineTool, type EditorCall } from './tool.ts';

/** How long language services get to look at the new text. */
const settleMs = 5_000;
const maxDiagnostics = 200;
/** Beyond this the text is cut; `read_file` has all of it. */
const maxTextLength = 1_000_000;

const input = z
  .strictObject({
    path: pathInput.describe('The file to change; one that does not exist yet is created, with newText only'),
    newText: z.string().optional().describe('The whole new text. Either this or edits'),
    edits: z
      .array(z.strictObject({ range: textRange, newText: z.string() }))
      .min(1)
      .max(10_000)
      .optional()
      .describe('Changes of the text as it is now; ranges must not overlap. Either this or newText'),
    expectedVersion: z.string().optional().describe('version of read_file: the call fails if the text has changed since'),
    description: z.string().max(2_000).optional().describe('Why, in a sentence for the person who reviews the change'),
  })
  .refine((value) => (value.newText === undefined) !== (value.edits === undefined), {
    path: ['newText'],
    error: 'give either newText or edits',
  });

const output = z.object({
  outcome: z.enum(['accepted', 'partlyAccepted', 'rejected']),
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  text: z.string().describe('The text of the file as it is now: the person may have changed the proposal'),
  version: z.string(),
  diagnostics: z.array(diagnostic).describe('Fresh, for this file'),
  isTextCut: z.boolean().optional().describe('Set when text is only the beginning: read_file has the rest'),
});

export const proposeEdit = defineTool({
  name: 'propose_edit',
  title: 'Propose Edit',
  description:
    'Proposes a change of one file. The person sees it as a diff, may take parts back or type in it, and accepts or rejects it. ' +
    'Returns what they decided, the final text and fresh diagnostics. The file is not saved: see save_file. Positions are 1-based, range ends exclusive.',
  input,
  output,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async ({ path, newText, edits = [], expectedVersion, description }, { editor, call }) => {
    const author = authorOf(call.viewer);
    const change = newText === undefined ? { edits } : { newText };
    const key = reviewKey('propose_edit', { path, change, expectedVersion, description });
    const review = await call.joinQuestion(key, (signal) =>
      editor.acting.proposeEdit({ path, change, author, expectedVersion, description }, signal),
    );
    const diagnostics = await freshDiagnostics(path, { editor, call });
    // A retry gets the answer of an earlier review: it looks absent if it is withheld by now, as if it were read anew.
    const { text, version } = diagnostics === undefined ? { text: '', version: '' } : review;
    const isTextCut = text.length > maxTextLength;
    return {
      outcome: review.outcome,
      ...(review.reason !== undefined && { reason: review.reason }),
      text: isTextCut ? text.slice(0, maxTextLength) : text,
      version,
      diagnostics: diagnostics ?? [],
      ...(isTextCut && { isTextCut }),
    };
  },
});

/** `undefined` when there is no such file for this client. */
async function freshDiagnostics(path: string, { editor, call }: EditorCall): Promise<DiagnosticEntry[] | undefined> {
  try {
    const { diagnostics } = await editor.getDiagnostics({ path, waitMs: settleMs, limit: maxDiagnostics }, call.signal);
    return [...diagnostics];
  } catch (error) {
    // A new file that the person did not want.
    if (hasCode(error, 'editor.pathNotFound')) {
      return undefined;
    }
    throw error;
  }
}
