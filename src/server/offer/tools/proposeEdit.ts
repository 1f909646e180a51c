import * as z from 'zod';
import type { WantedChange } from '../../seen/ports/actingPort.ts';
import { authorOf, changesText, reviewKey } from './actingShapes.ts';
import {
  answerAfterReview,
  changeDescription,
  diagnosticLine,
  editsInput,
  expectedVersion,
  outcomeLines,
  outcome,
  saveInput,
  wantedText,
} from './editProposal.ts';
import { clientError } from '../../errors/serverErrors.ts';
import { diagnostic, somePath } from './shapes.ts';
import { defineTool } from './tool.ts';

const input = z
  .strictObject({
    path: somePath.describe('A file'),
    cell: z.int().min(0).optional().describe('Of a notebook, from 0'),
    newText: z.string().optional().describe('Whole text; creates a missing file'),
    edits: editsInput.optional().describe('Or changes'),
    expectedVersion: expectedVersion.describe('From read_file'),
    description: changeDescription,
    save: saveInput,
  })
  .refine((value) => (value.newText === undefined) !== (value.edits === undefined), {
    path: ['newText'],
    error: 'give either newText or edits',
  });

const output = z.object({
  outcome,
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  text: z.string().optional().describe('As it is now, where that is not what was proposed'),
  version: z.string(),
  isSaved: z.boolean(),
  diagnostics: z.array(diagnostic).describe('Fresh, of this file'),
  note: z.string().optional().describe('What is left out'),
});

export const proposeEdit = defineTool({
  name: 'propose_edit',
  title: 'Propose Edit',
  description: 'Shows the person a diff of one file to edit, accept or reject. Returns the outcome and fresh diagnostics.',
  input,
  output,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async ({ description, save = false, ...given }, context) => {
    const { editor, call } = context;
    const { path, cell } = given;
    const origin = { author: authorOf(call), description, save };
    // The description is not part of the key: with another description it is still the same change.
    const review = await call.joinQuestion(reviewKey('propose_edit', { ...given, save }), async (signal) => {
      if (cell !== undefined && given.edits?.some(({ symbol }) => symbol !== undefined) === true) {
        throw clientError('server.symbolInCell');
      }
      const { text = { edits: [] }, ...version } = await wantedText(given, context, signal);
      const change: WantedChange = cell === undefined ? { kind: 'text', ...text } : { kind: 'cell', cell, ...text };
      return editor.acting.proposeEdits({ files: [{ path, change, ...version }], ...origin }, signal);
    });
    const { files: seen, reason, diagnostics, notes } = await answerAfterReview(review, { editor, call });
    const [file] = seen;
    return {
      outcome: file?.outcome ?? 'rejected',
      ...(reason !== undefined && { reason }),
      ...(file?.text !== undefined && { text: file.text }),
      version: file?.version ?? '',
      isSaved: file?.isSaved ?? false,
      diagnostics,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  },
  toText: ({ reason, diagnostics, note, ...file }) =>
    [
      outcomeLines({ path: 'The proposal', ...file }),
      ...(reason === undefined ? [] : [`The person's reason: ${reason}`]),
      ...(note === undefined ? [] : [note]),
      ...(diagnostics.length === 0 ? ['No diagnostics.'] : diagnostics.map(diagnosticLine)),
    ].join('\n'),
});
