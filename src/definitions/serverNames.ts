import { createHash } from 'node:crypto';
import { revealInvisible } from '../base/visibleText.ts';
import { editorServerName } from '../contract/identity.ts';
import type { DefinitionSource, ServerDefinition } from './serverDefinition.ts';

/** The most characters of a server's name; a longer one is refused. */
export const maxNameLength = 100;

export type ServerName =
  | { readonly kind: 'name'; readonly name: string; readonly isMixed: boolean }
  /** The name is `editor`, or reads like it. */
  | { readonly kind: 'reserved' }
  /** The name has an `@`, as in `name@place`, by which labels tell servers of one name apart. */
  | { readonly kind: 'withPlace' }
  | { readonly kind: 'bad' };

/**
 * Characters that cannot be seen. They are matched by property, so that newer characters are covered too. U+2800 is a blank
 * that Unicode counts as a symbol.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u1680]/u;

/** The name of a server, from the key under which it is configured. Two spellings that look the same are the same name. */
export function readServerName(key: string): ServerName {
  const name = normaliseName(key);
  // The selector for the coloured form of a picture is allowed after a picture, where it is visible.
  const plain = key.replaceAll(/(?<=\p{Extended_Pictographic})\uFE0F/gu, '');
  if (name === '' || name.length > maxNameLength || unseen.test(plain)) {
    return { kind: 'bad' };
  }
  if (readsLikeEditor(name)) {
    return { kind: 'reserved' };
  }
  // At the start the `@` is the scope of a package.
  return name.includes('@', 1) ? { kind: 'withPlace' } : { kind: 'name', name, isMixed: markMixedScripts(name) !== name };
}

/** One spelling for all that look the same: it covers full-width letters, ligatures, no-break and doubled spaces. */
export function normaliseName(key: string): string {
  return key.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}

/** The name for people, with nothing in it hidden or disguised. */
export function shownName(name: string): string {
  return revealInvisible(markMixedScripts(name));
}

/** Characters that can be read as a letter of `editor`: digits, signs, and the letters of the one alphabet that could spell all of it. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', l: 'i', '|': 'i', '!': 'i' },
  ...{ '\u0435': 'e', '\u0501': 'd', '\u0456': 'i', '\u0442': 't', '\u043E': 'o', '\u0433': 'r' },
};

/** Case and accents are ignored. In a word that is partly ASCII, any other letter may stand for one that looks like it. */
function readsLikeEditor(name: string): boolean {
  const letters = Array.from(name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase());
  const isPartlyAscii = letters.some((letter) => /\p{ASCII}/u.test(letter));
  const own = Array.from(editorServerName);
  return (
    letters.length === own.length &&
    letters.every((letter, index) => (lookAlikes[letter] ?? letter) === own[index] || (isPartlyAscii && /[^\p{ASCII}]/u.test(letter)))
  );
}

/** Japanese, Chinese and Korean are written with Latin letters among their own, and nobody confuses the two. */
const latinAndEastAsian = /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Zyyy}\p{sc=Zinh}]*$/u;
const otherScripts = ['Cyrl', 'Grek', 'Armn', 'Geor', 'Hebr', 'Arab', 'Deva', 'Beng', 'Guru', 'Gujr', 'Taml', 'Telu', 'Knda', 'Mlym']
  .concat(['Sinh', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt', 'Ethi', 'Mong', 'Cher'])
  .map((script) => new RegExp(`^[\\p{sc=${script}}\\p{sc=Zyyy}\\p{sc=Zinh}]*$`, 'u'));

/**
 * In each word that mixes alphabets, the characters that are not ASCII are written out: `github` with a Cyrillic i becomes
 * `g⟨U+0456⟩thub`.
 */
function markMixedScripts(name: string): string {
  return name.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
    latinAndEastAsian.test(word) || otherScripts.some((script) => script.test(word))
      ? word
      : word.replaceAll(/[^\p{ASCII}]/gu, (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`),
  );
}

type Unlabelled = Omit<ServerDefinition, 'label'>;

/** The places after the `@` that no repository can choose. */
const ownPlaces = ['user', 'remote', 'workspace', 'folder', 'discovered'];

/**
 * Gives every server a unique label: its name if no other server has it, else the name with its place. A server from another
 * program's file never takes the plain name from a configured one.
 */
export function labelServers(servers: readonly Unlabelled[]): readonly ServerDefinition[] {
  const isPlain = (server: Unlabelled): boolean => {
    const same = servers.filter((other) => other.name === server.name);
    const rivals = server.scope === 'discovered' ? same : same.filter((other) => other.scope !== 'discovered');
    return rivals.length === 1;
  };
  const taken = new Set(servers.filter(isPlain).map(({ name }) => shownName(name)));
  return servers.map((server) => {
    const name = shownName(server.name);
    const label = isPlain(server) ? name : freeLabel(`${name}@${placeOf(server)}`, taken);
    taken.add(label);
    return { ...server, label } as ServerDefinition;
  });
}

function placeOf(server: Unlabelled): string {
  switch (server.scope) {
    case 'folder':
      return namedPlace('folder', server.folder?.name);
    case 'discovered':
      return namedPlace('discovered', server.file);
    case 'user':
    case 'remote':
    case 'workspace':
      return server.scope;
  }
}

/** A folder that a repository calls `user` must not look like the person's own settings. */
function namedPlace(kind: 'folder' | 'discovered', name: string | undefined): string {
  const shown = shownName(normaliseName(name ?? ''));
  if (shown === '') {
    return kind;
  }
  return ownPlaces.includes(shown.toLowerCase()) ? `${kind}:${shown}` : shown;
}

/** Two folders may have the same name. */
function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let count = 2; taken.has(label); count += 1) {
    label = `${wanted}~${count}`;
  }
  return label;
}

/** Stable over sessions, and different for every place. */
export function idOf(source: DefinitionSource, name: string): string {
  switch (source.scope) {
    case 'user':
      return `user:${name}`;
    case 'remote':
      return `remote:${shortHash(source.machine ?? '')}:${name}`;
    case 'workspace':
      return `workspace:${shortHash(source.workspace ?? '')}:${name}`;
    case 'folder':
      return `folder:${shortHash(source.folder?.path ?? '')}:${name}`;
    case 'discovered':
      return `file:${shortHash(source.file?.path ?? '')}:${name}`;
  }
}

export function builtInId(name: string): string {
  return `builtIn:${name}`;
}

/** The name of a server by its id, for people, when nothing else of it is known any more. */
export function nameInId(id: string): string {
  const [scope = '', second = '', ...rest] = id.split(':');
  const isWithoutPlace = scope === 'user' || scope === 'builtIn';
  return shownName(isWithoutPlace ? [second, ...rest].join(':') : rest.join(':'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
