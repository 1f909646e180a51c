import { clientError } from '../../errors/serverErrors.ts';
import type { LanguagePort, CodePlace, SymbolNode } from '../../seen/ports/languagePort.ts';

/** A place that is given by its position, or by the name of the symbol that is declared there. */
interface NamedPlace {
  readonly path: string;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly symbol?: string | undefined;
}

/** Rejects when neither a position nor a name is given, and when the name fits no symbol or several. */
export async function resolvePlace(
  { path, line, character, symbol }: NamedPlace,
  language: LanguagePort,
  signal: AbortSignal,
): Promise<CodePlace> {
  if (symbol === undefined && line !== undefined && character !== undefined) {
    return { path, line, character };
  }
  if (symbol === undefined || line !== undefined || character !== undefined) {
    throw clientError('server.placeOrSymbol');
  }
  const { selectionRange } = await findSymbol(path, symbol, language, signal);
  return { path, line: selectionRange.start.line, character: selectionRange.start.character };
}

/** Finds the one symbol of a file with this name; throws if there is none, or more than one. */
export async function findSymbol(path: string, symbol: string, language: LanguagePort, signal: AbortSignal): Promise<SymbolNode> {
  return symbolsIn(await language.getDocumentSymbols(path, signal), path)(symbol);
}

/** Returns the function that finds the one symbol of a name in the outline of a file. */
export function symbolsIn(outline: readonly SymbolNode[], path: string): (symbol: string) => SymbolNode {
  const all = namedSymbols(outline); // once, however many are looked for
  return (symbol) => oneOf(findNamed(all, symbol), outline, { path, symbol });
}

function oneOf(
  [found, ...others]: readonly NamedSymbol[],
  outline: readonly SymbolNode[],
  { path, symbol }: { readonly path: string; readonly symbol: string },
): SymbolNode {
  if (found === undefined) {
    const names = namesNear(outline, symbol).join(', ');
    throw names === '' ? clientError('server.noOutline', { path }) : clientError('server.noSymbol', { path, symbol, names });
  }
  if (others.length > 0) {
    throw clientError('server.severalSymbols', { path, symbol, places: listPlaces([found, ...others]) });
  }
  return found.node;
}

/** The most places that an error names. */
const maxPlaces = 20;

function listPlaces(found: readonly NamedSymbol[]): string {
  const places = found.slice(0, maxPlaces).map(({ name, node: { kind, selectionRange } }) => {
    const { line, character } = selectionRange.start;
    return `${shortName(name)} (${kind}) at ${line}:${character}`;
  });
  return [...places, ...(found.length > maxPlaces ? [`${found.length - maxPlaces} more`] : [])].join(', ');
}

/** A symbol of an outline with its full name, as in `Cart.addItem`. */
interface NamedSymbol {
  readonly name: string;
  readonly node: SymbolNode;
}

/** The most similar names that an error suggests. */
const maxNear = 10;
/** The longest name that is quoted in a sentence. */
const maxNameLength = 100;

/** Finds the symbols that a name means. A full name wins over the end of one, so that `total` means the function rather than a member. */
function findNamed(all: readonly NamedSymbol[], wanted: string): readonly NamedSymbol[] {
  const path = dotted(wanted);
  const whole = all.filter(({ name }) => name === path);
  return whole.length > 0 ? whole : all.filter(({ name, node }) => name.endsWith(`.${path}`) || node.name === wanted);
}

/** Returns names that look similar, or the first names of the outline if none does. */
function namesNear(outline: readonly SymbolNode[], wanted: string): readonly string[] {
  const own = lastPart(wanted).toLowerCase();
  const all = namedSymbols(outline);
  const near = all.filter(({ name }) => {
    const other = lastPart(name).toLowerCase();
    return other.includes(own) || (other.length > 2 && own.includes(other));
  });
  const names = (near.length > 0 ? near : outline.map((node) => ({ name: dotted(node.name) }))).map(({ name }) => name);
  return [...new Set(names)].slice(0, maxNear).map(shortName);
}

export function shortName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}

/** Returns `addItem` of `Cart.addItem`, `Cart#addItem` and `Cart::addItem`. */
export function lastPart(name: string): string {
  return dotted(name).split('.').at(-1) ?? '';
}

/** Returns what stands before the last part of a name; nothing for a plain name. */
export function outerPart(name: string): string {
  return dotted(name).split('.').slice(0, -1).join('.');
}

function namedSymbols(nodes: readonly SymbolNode[], outer = ''): NamedSymbol[] {
  return nodes.flatMap((node) => {
    const name = `${outer}${outer === '' ? '' : '.'}${dotted(node.name)}`;
    return [{ name, node }, ...namedSymbols(node.children, name)];
  });
}

/**
 * Writes a name as people do: `add(item: Item)` and `List<T>` without what follows the name, `(*Cart).Add` without Go's
 * parentheses, a heading without its marks.
 */
function dotted(name: string): string {
  const plain = name
    .replace(/^#+\s+/, '')
    .replace(/^\(\*?([^()]*)\)\./, '$1.')
    .replace(/(?<=[^\s(<])[(<][^]*$/, '');
  return plain.trim().replaceAll(/::|#(?=\w)/g, '.');
}
