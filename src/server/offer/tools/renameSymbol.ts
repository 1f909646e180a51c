import * as z from 'zod';
import type { ChangeReview } from '../../seen/ports/actingPort.ts';
import { authorOf, changesText, reviewed, reviewedText, reviewKey } from './actingShapes.ts';
import { fitAnswer, type Measured, usualChars } from './answers.ts';
import { answerAfterReview, diagnosticLine, named, saveInput } from './editProposal.ts';
import { place } from './languageShapes.ts';
import { diagnostic } from './shapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, type EditorCall } from './tool.ts';

const output = reviewed.extend({ diagnostics: z.array(diagnostic).describe('Fresh, of the changed files') });
type Output = z.input<typeof output>;

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename Symbol',
  description: 'Renames the symbol at a place, everywhere, after the person accepted a diff of each file. Returns fresh diagnostics.',
  input: z.strictObject({
    ...place,
    newName: z.string().min(1).max(1_000).describe('Its new name'),
    save: saveInput,
  }),
  output,
  toText,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async (request, context) => {
    const { editor, call } = context;
    const origin = { author: authorOf(call) };
    const key = reviewKey('rename_symbol', request);
    const { newName, save = false } = request;
    const review = await call.joinQuestion(key, async (signal) => {
      const at = await resolvePlace(request, editor.language, signal);
      return editor.acting.renameSymbol({ ...at, newName, save }, origin, signal);
    });
    return describe(review, save, context);
  },
});

/** The most files whose diagnostics are looked at. */
const maxLooks = 50;

async function describe(review: ChangeReview, save: boolean, context: EditorCall): Promise<Measured<Output>> {
  const { outcome, files, unsaved = [] } = review;
  const looked = files.slice(0, maxLooks).map((path) => ({ path, outcome, version: outcome, isSaved: !unsaved.includes(path) }));
  const { reason, diagnostics, notes } = await answerAfterReview({ files: looked, reason: review.reason }, context);
  const build = (shown: readonly string[]): Output => {
    const more = files.length - shown.length;
    const note = [
      ...(review.note === undefined ? [] : [review.note]),
      ...(save && unsaved.length > 0 ? [`Not saved: ${named(unsaved)}. save_file saves a file.`] : []),
      ...(more > 0 ? [`${more} more files were changed.`] : []),
      ...notes,
    ].join(' ');
    return { outcome, ...(reason !== undefined && { reason }), files: [...shown], diagnostics, ...(note !== '' && { note }) };
  };
  return fitAnswer(files, usualChars, build, toText);
}

function toText({ diagnostics, ...answer }: Output): string {
  return [reviewedText(answer), ...diagnostics.map(diagnosticLine)].join('\n');
}
