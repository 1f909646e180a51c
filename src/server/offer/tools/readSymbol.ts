import * as z from 'zod';
import { clientError } from '../../errors/clientErrors.ts';
import type { DocumentText } from '../../seen/ports/documentsPort.ts';
import type { FoundSymbol, LanguagePort } from '../../seen/ports/languagePort.ts';
import type { TextRange } from '../../seen/ports/textRange.ts';
import { maxChars } from './budget.ts';
import { declarationAt, type Declaration } from './declarationText.ts';
import { fitSource } from './fitSource.ts';
import { symbolName } from './languageShapes.ts';
import { pathInput, textRange } from './shapes.ts';
import { joinTexts, numberedLines } from './sourceText.ts';
import { lastPart, outerPart, shortName } from './symbolNames.ts';
import { findSymbol } from './symbolPlace.ts';
import { defineTool, looksOnly, type EditorCall } from './tool.ts';

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
    const { range } = await findSymbol(file, symbol, editor.language, call.signal);
    return fitSource(most, file, (room) => readDeclaration(file, range, room, { editor, call }), toText);
  },
  toText,
});

/** The one file of the workspace that has a symbol of this name. */
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
