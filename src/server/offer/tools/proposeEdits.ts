import * as z from 'zod';
import type { FileProposal, WantedChange } from '../../seen/ports/actingPort.ts';
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
import { diagnostic, somePath } from './shapes.ts';
import { defineTool, type EditorCall } from './tool.ts';

/** The most files of one proposal. */
const maxFiles = 50;

const file = z
  .strictObject({
    path: somePath,
    newText: z.string().optional(),
    edits: editsInput.optional(),
    moveTo: somePath.optional().describe('New path (folders too)'),
    delete: z.boolean().optional(),
    expectedVersion,
  })
  .refine(({ newText, edits }) => newText === undefined || edits === undefined, {
    path: ['newText'],
    error: 'give either newText or edits',
  })
  .refine(
    ({ newText, edits, moveTo, delete: isDeleted }) => isDeleted !== true || [newText, edits, moveTo].every((each) => each === undefined),
    {
      path: ['delete'],
      error: 'nothing else can be done to a file that is deleted',
    },
  )
  .refine(
    ({ newText, edits, moveTo, delete: isDeleted }) => isDeleted === true || [newText, edits, moveTo].some((each) => each !== undefined),
    {
      path: ['newText'],
      error: 'give newText, edits, moveTo or delete',
    },
  );

const input = z.strictObject({
  files: z.array(file).min(1).max(maxFiles).describe('Each once'),
  description: changeDescription,
  save: saveInput,
});

const output = z.object({
  files: z
    .array(
      z.object({
        path: z.string().describe('Where it is now'),
        outcome,
        text: z.string().optional().describe('As it is now, where that is not what was proposed'),
        version: z.string().describe('Empty when it is gone, and of a folder'),
        isSaved: z.boolean(),
        movedFiles: z.int().optional().describe('Of a folder: how many files moved with it'),
      }),
    )
    .describe('In the order of the proposal'),
  reason: z.string().optional().describe('Why the person rejected it, if they said so'),
  diagnostics: z.array(diagnostic).describe('Fresh, of these files'),
  note: z.string().optional().describe('What is left out'),
});

export const proposeEdits = defineTool({
  name: 'propose_edits',
  title: 'Propose Edits',
  description: 'Like propose_edit for several files, in one review: edit, create, move, delete. On a disk error nothing is done.',
  input,
  output,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async ({ files: wanted, description, save = false }, context) => {
    const { editor, call } = context;
    const origin = { author: authorOf(call), description, save };
    const review = await call.joinQuestion(reviewKey('propose_edits', { files: wanted, save }), async (signal) => {
      const files: FileProposal[] = [];
      for (const each of wanted) {
        files.push(await toProposal(each, context, signal));
      }
      return editor.acting.proposeEdits({ files, ...origin }, signal);
    });
    const { files: seen, reason, diagnostics, notes } = await answerAfterReview(review, { editor, call });
    return {
      files: [...seen],
      ...(reason !== undefined && { reason }),
      diagnostics,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  },
  toText: ({ files, reason, diagnostics, note }) =>
    [
      ...files.map(outcomeLines),
      ...(reason === undefined ? [] : [`The person's reason: ${reason}`]),
      ...(note === undefined ? [] : [note]),
      ...(diagnostics.length === 0 ? ['No diagnostics.'] : diagnostics.map(diagnosticLine)),
    ].join('\n'),
});

async function toProposal(given: z.output<typeof file>, context: EditorCall, signal: AbortSignal): Promise<FileProposal> {
  const { path, moveTo, delete: isDeleted } = given;
  const { text, ...version } = await wantedText(given, context, signal);
  return { path, change: toChange(), ...version };

  function toChange(): WantedChange {
    if (isDeleted === true) {
      return { kind: 'delete' };
    }
    if (moveTo !== undefined) {
      return { kind: 'move', moveTo, ...(text !== undefined && { text }) };
    }
    return { kind: 'text', ...(text ?? { edits: [] }) };
  }
}
