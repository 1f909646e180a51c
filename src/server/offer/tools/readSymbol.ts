import * as z from 'zod';
import { clientError } from '../../errors/serverErrors.ts';
import type { DocumentText, TextPart, TextRange } from '../../seen/ports/documentsPort.ts';
import type { FoundSymbol, LanguagePort } from '../../seen/ports/languagePort.ts';
import { maxChars } from './answers.ts';
import { symbolName } from './languageShapes.ts';
import { countLines, endOfLine, maxBeside, startOfComment, startOfLine } from './declarationText.ts';
import { pathInput, textRange } from './shapes.ts';
import { fitSource, goOnAt, joinTexts, numberedLines, sourcePage } from './sourceText.ts';
import { findSymbol, lastPart, outerPart, shortName } from './symbolPlace.ts';
import { defineTool, type EditorCall, looksOnly } from './tool.ts';

const output = z.object({
  path: z.string(),
  range: textRange.describe('Of text: whole lines, from the comment above on'),
  text: z.string(),
  version: z.string(),
  isDirty: z.boolean(),
  note: z.string().optional().describe('Only when the text was cut: how to get the rest'),
});

type Output = z.input<typeof output>;

export const readSymbol = defineTool({
  name: 'read_symbol',
  title: 'Read Symbol',
  description: 'Returns the source of a function, class or other symbol, with the comment above it.',
  input: z.strictObject({
    path: pathInput.optional().describe('Its file; left out: searched for in the workspace'),
    symbol: symbolName.describe('Name, as "Cart.addItem" or "addItem"'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, symbol, maxChars: most }, { editor, call }) => {
    const file = path ?? (await findFile(symbol, editor.language, call.signal));
    return readNamed(file, symbol, most, { editor, call });
  },
  toText,
});

/** Finds the one file of the workspace that has a symbol of this name; throws if there is none, or more than one. */
async function findFile(symbol: string, language: LanguagePort, signal: AbortSignal): Promise<string> {
  const named = (await language.searchSymbols(lastPart(symbol), signal)).filter(({ name }) => lastPart(name) === lastPart(symbol));
  const outer = lastPart(outerPart(symbol));
  const within = outer === '' ? [] : named.filter(({ container }) => lastPart(container) === outer);
  const found = within.length > 0 ? within : named;
  const [path, ...others] = new Set(found.map((each) => each.path));
  if (path === undefined) {
    throw clientError('server.symbolNowhere', { symbol });
  }
  if (others.length > 0) {
    throw clientError('server.symbolInSeveralFiles', { symbol, places: listPlaces(found) });
  }
  return path;
}

/** The most places that an error names. */
const maxPlaces = 20;

function listPlaces(found: readonly FoundSymbol[]): string {
  const places = found
    .slice(0, maxPlaces)
    .map(
      ({ name, kind, path, range, container }) =>
        `${shortName(container === '' ? name : `${container}.${name}`)} (${kind}) in ${path}:${range.start.line}`,
    );
  return [...places, ...(found.length > maxPlaces ? [`${found.length - maxPlaces} more`] : [])].join(', ');
}

/** How often a symbol is looked for while its file changes. */
const maxTries = 5;

/** Finds a symbol in a file and reads it there, both in the same version of the file. */
async function readNamed(path: string, symbol: string, most: number, { editor, call }: EditorCall): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    const { version } = await editor.documents.read(path, call.signal, () => ({ from: 0, to: 0 }));
    const { range } = await findSymbol(path, symbol, editor.language, call.signal);
    const answer = await fitSource(most, path, (room) => readDeclaration(path, range, room, { editor, call }), toText);
    if (answer.version === version || tries === maxTries) {
      return answer;
    }
  }
}

async function readDeclaration(path: string, range: TextRange, room: number, { editor, call }: EditorCall): Promise<Output> {
  let declaration: Declaration = { part: { from: 0, to: 0 }, range };
  const document = await editor.documents.read(path, call.signal, (whole) => {
    declaration = declarationAt(whole, range, room);
    return declaration.part;
  });
  return describe(document, declaration);
}

function describe({ path, text, version, isDirty }: DocumentText, { range, note }: Declaration): Output {
  return { path, range, text, version, isDirty, ...(note !== undefined && { note }) };
}

function toText({ path, range, text, version, isDirty, note }: Output): string {
  const facts = [`version ${version}`, ...(isDirty ? ['unsaved changes'] : [])].join(', ');
  return joinTexts(`${path} (${facts})`, numberedLines(text, range.start.line), note);
}

interface Declaration {
  readonly part: TextPart;
  /** The whole range of the declaration, also where the text was cut. */
  readonly range: TextRange;
  /** How to get the rest; only if the text was cut. */
  readonly note?: string | undefined;
}

/** Returns the lines of a symbol with the comment right above them, or the beginning that fits into `most` characters. */
function declarationAt(text: string, range: TextRange, most: number): Declaration {
  const first = startOfLine(text, range.start.line);
  const last = startOfLine(text, range.end.line);
  const from = range.start.character - 1 <= maxBeside ? first : first + range.start.character - 1;
  const end = last + range.end.character - 1;
  const to = endOfLine(text, last) - end <= maxBeside ? Math.max(end, endOfLine(text, last)) : end;
  const above = from === first ? startOfComment(text, first) : from;
  const startLine = range.start.line - countLines(text, above, from);
  const startCharacter = from === first ? 1 : range.start.character;
  const shown: TextRange = {
    start: { line: startLine, character: startCharacter },
    end: { line: range.end.line, character: to - last + 1 },
  };
  const page = sourcePage(text.slice(0, to), { startLine, startCharacter }, most);
  const note = page.next && `Cut: call read_file with ${goOnAt(page.next)} and endLine ${range.end.line} for the rest.`;
  return { part: page.part, range: shown, ...(note !== undefined && { note }) };
}
