import * as z from 'zod';
import type { TextEdit, WantedText } from '../../seen/ports/actingPort.ts';
import { textRange } from './shapes.ts';
import { shortly } from './toolSchemas.ts';

/** What the tools share that propose changes of files. */
const textEdit = z
  .strictObject({
    oldText: z.string().optional().describe('Must occur once'),
    newText: z.string(),
    replaceAll: z.boolean().optional(),
    range: textRange.meta(shortly).optional().describe('Or {start: {line, character}, end}'),
  })
  .refine(({ oldText, range }) => (oldText === undefined) !== (range === undefined), {
    path: ['oldText'],
    error: 'give either oldText or range',
  })
  .refine(({ range, replaceAll }) => range === undefined || replaceAll !== true, {
    path: ['replaceAll'],
    error: 'only with oldText',
  });

/** So many are read whole: a message of more values than 50,000 is refused as it comes, and an edit of a range has nine. */
export const editsInput = z.array(textEdit).min(1).max(5_000);

export const expectedVersion = z.string().max(200).optional();

export const changeDescription = z.string().max(2_000).optional().describe('Why');

export const saveInput = z.boolean().optional().describe('Offer saving');

export const outcome = z.enum(['accepted', 'partlyAccepted', 'rejected']);

/** `undefined` when neither is given. */
export function wantedText(newText: string | undefined, edits: z.output<typeof editsInput> | undefined): WantedText | undefined {
  if (newText !== undefined) {
    return { newText };
  }
  return edits === undefined ? undefined : { edits: edits.map(toTextEdit) };
}

function toTextEdit({ oldText, newText, replaceAll, range }: z.output<typeof textEdit>): TextEdit {
  return range === undefined ? { oldText: oldText ?? '', newText, ...(replaceAll === true && { replaceAll }) } : { range, newText };
}
