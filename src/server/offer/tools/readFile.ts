import * as z from 'zod';
import { clientError } from '../../errors/serverErrors.ts';
import type { DocumentText, ImageFile } from '../../seen/ports/documentsPort.ts';
import { maxChars } from './answers.ts';
import { fitSource, goOnAt, joinTexts, numberedLines, sourcePage, type SourcePage, type WantedLines } from './sourceText.ts';
import { pathInput } from './shapes.ts';
import { defineTool, looksOnly, type EditorCall } from './tool.ts';

const output = z.object({
  path: z.string().describe('In its usual spelling'),
  text: z.string().describe('Empty for an image, which is in the content'),
  version: z.string().describe('Changes with the text; for expectedVersion of propose_edit'),
  isDirty: z.boolean().describe('Whether there are unsaved changes'),
  totalLines: z.int().min(0),
  startLine: z.int().optional().describe('Where text begins, if not at line 1'),
  startCharacter: z.int().optional().describe('Where in that line, if not at its beginning'),
  nextStartLine: z.int().optional().describe('Only when the text was cut: startLine for the rest'),
  nextStartCharacter: z.int().optional().describe('Only when it was cut inside a line: startCharacter for the rest'),
  mimeType: z.string().optional().describe('Of an image'),
  size: z.int().optional().describe('Of an image, in bytes'),
  note: z.string().optional().describe('Why there is no text or only a part of it, and what to try'),
});

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read File',
  description:
    'Returns a file or open document with unsaved changes, in pages if long. Notebooks come by cell (from 0) with outputs, images as image content. [redacted] stands for a secret.',
  input: z.strictObject({
    path: pathInput,
    startLine: z.int().min(1).default(1).describe('First line, from 1'),
    endLine: z.int().min(1).optional().describe('Last line, included'),
    startCharacter: z.int().min(1).default(1).describe('Where in startLine to begin, from 1'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, maxChars: most, ...wanted }, context) => {
    const { editor, call } = context;
    if (wanted.endLine !== undefined && wanted.endLine < wanted.startLine) {
      throw clientError('server.endBeforeStart');
    }
    const image = imageName.test(path) ? await editor.documents.readImage(path, call.signal) : undefined;
    if (image !== undefined) {
      context.attach({ type: 'image', data: image.base64, mimeType: image.mimeType });
      return describeImage(image);
    }
    return fitSource(most, path, (room) => readPage(path, wanted, room, { editor, call }), toText);
  },
  toText,
});

const lossyNote =
  'The file is in another encoding than VS Code read it in: U+FFFD stands for characters that could not be read, and the file cannot be changed. ' +
  'Ask the person for "Reopen with Encoding…" in VS Code, or to set files.encoding.';

const diskNotes = {
  changed:
    'This is unsaved text, and its file changed on disk since VS Code read it. VS Code will not save the one over the other: ' +
    'ask the person to compare the two and to save or revert the file.',
  gone: 'This is unsaved text: its file is gone from the disk.',
} as const;

type Output = z.input<typeof output>;

const imageName = /\.(?:png|jpe?g|gif|webp)$/i;

function describeImage({ path, version, mimeType, size }: ImageFile): Output {
  return { path, text: '', version, isDirty: false, totalLines: 0, mimeType, size, note: 'The image is in the content of this answer.' };
}

async function readPage(path: string, wanted: WantedLines, room: number, { editor, call }: EditorCall): Promise<Output> {
  let page: SourcePage = { part: { from: 0, to: 0 }, totalLines: 1 };
  const document = await editor.documents.read(path, call.signal, (whole) => {
    page = sourcePage(whole, wanted, room);
    return page.part;
  });
  return describePage(document, wanted, page);
}

function describePage(document: DocumentText, { startLine, startCharacter }: WantedLines, page: SourcePage): Output {
  const { path, text, version, isDirty } = document;
  const { totalLines, next } = page;
  const { isLossy, onDisk } = document;
  const behind = onDisk === undefined ? undefined : diskNotes[onDisk];
  const notes = [noteFor(document, { startLine, startCharacter }, page), isLossy === true ? lossyNote : undefined, behind];
  const note = notes.filter((each) => each !== undefined).join(' ');
  return {
    path,
    text,
    version,
    isDirty,
    totalLines,
    ...(startLine > 1 && { startLine }),
    ...(startCharacter > 1 && { startCharacter }),
    ...(next !== undefined && { nextStartLine: next.line }),
    ...(next?.character !== undefined && { nextStartCharacter: next.character }),
    ...(note !== '' && { note }),
  };
}

function noteFor({ text }: DocumentText, { startLine, startCharacter }: WantedLines, page: SourcePage): string | undefined {
  const { totalLines, next, isPastEnd } = page;
  if (isPastEnd === 'text') {
    return `There is no line ${startLine}: the text has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}. Try a smaller startLine.`;
  }
  if (isPastEnd === 'line') {
    return `Line ${startLine} ends before character ${startCharacter}. Leave startCharacter out to read the line.`;
  }
  if (next !== undefined) {
    const where = next.character === undefined ? `before line ${next.line}` : `inside line ${next.line}`;
    return `Cut ${where} of ${totalLines}: call read_file with ${goOnAt(next)} for the rest.`;
  }
  return text === '' && totalLines === 1 && startCharacter === 1 ? 'The file is empty.' : undefined;
}

function toText(answer: Output): string {
  const { path, text, version, isDirty, totalLines, startLine = 1, startCharacter = 1, mimeType, size, note } = answer;
  if (mimeType !== undefined) {
    return `${path} (${mimeType}, ${size} bytes, version ${version})`;
  }
  const facts = [`version ${version}`, ...(isDirty ? ['unsaved changes'] : []), `${totalLines} ${totalLines === 1 ? 'line' : 'lines'}`];
  const begins = startCharacter > 1 ? ` from character ${startCharacter} of line ${startLine}` : '';
  return joinTexts(`${path} (${facts.join(', ')})${begins}`, numberedLines(text, startLine), note);
}
