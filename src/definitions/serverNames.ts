import { createHash } from 'node:crypto';
import { revealInvisible } from '../base/visibleText.ts';
import { editorServerName } from '../contract/identity.ts';
import type { DefinitionSource, ServerDefinition } from './serverDefinition.ts';

export const maxNameLength = 100;

export type ServerName =
  | { readonly kind: 'name'; readonly name: string; readonly isMixed: boolean }
  /** `editor`, or what reads like it. */
  | { readonly kind: 'reserved' }
  /** `name@place` is how servers of one name are told apart. */
  | { readonly kind: 'withPlace' }
  | { readonly kind: 'bad' };

/** Nothing that is drawn as nothing: by property, so that no newer character gets past. U+2800 is a blank that calls itself a sign. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u1680]/u;

/** What a server is called, given the key it is configured under: two spellings that look the same are the same name. */
export function readServerName(key: string): ServerName {
  const name = normaliseName(key);
  // The selector that asks for the coloured form of a picture is drawn: it stands after a picture.
  const plain = key.replaceAll(/(?<=\p{Extended_Pictographic})\uFE0F/gu, '');
  if (name === '' || name.length > maxNameLength || unseen.test(plain)) {
    return { kind: 'bad' };
  }
  if (readsLikeEditor(name)) {
    return { kind: 'reserved' };
  }
  // At the start it is the scope of a package.
  return name.includes('@', 1) ? { kind: 'withPlace' } : { kind: 'name', name, isMixed: markMixedScripts(name) !== name };
}

/** One spelling for all that look the same: full-width letters, ligatures, no-break and doubled spaces. */
export function normaliseName(key: string): string {
  return key.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}

/** A name with nothing in it hidden or disguised, for people. */
export function shownName(name: string): string {
  return revealInvisible(markMixedScripts(name));
}

/** Digits and signs that are read as a letter of `editor`, and the letters of the one alphabet that could spell all of it. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', l: 'i', '|': 'i', '!': 'i' },
  ...{ '\u0435': 'e', '\u0501': 'd', '\u0456': 'i', '\u0442': 't', '\u043E': 'o', '\u0433': 'r' },
};

/** Case and accents aside; in a word that is partly ASCII, any other letter may stand for one that looks like it. */
function readsLikeEditor(name: string): boolean {
  const letters = Array.from(name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase());
  const isPartlyAscii = letters.some((letter) => /\p{ASCII}/u.test(letter));
  const own = Array.from(editorServerName);
  return (
    letters.length === own.length &&
    letters.every((letter, index) => (lookAlikes[letter] ?? letter) === own[index] || (isPartlyAscii && /[^\p{ASCII}]/u.test(letter)))
  );
}

/** Japanese, Chinese and Korean are written with Latin letters among their own, and nobody takes one for the other. */
const latinAndEastAsian = /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Zyyy}\p{sc=Zinh}]*$/u;
const otherScripts = ['Cyrl', 'Grek', 'Armn', 'Geor', 'Hebr', 'Arab', 'Deva', 'Beng', 'Guru', 'Gujr', 'Taml', 'Telu', 'Knda', 'Mlym']
  .concat(['Sinh', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt', 'Ethi', 'Mong', 'Cher'])
  .map((script) => new RegExp(`^[\\p{sc=${script}}\\p{sc=Zyyy}\\p{sc=Zinh}]*$`, 'u'));

/** In each word of several alphabets, what is not ASCII is written out: `github` with a Cyrillic i reads `g⟨U+0456⟩thub`. */
function markMixedScripts(name: string): string {
  return name.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
    latinAndEastAsian.test(word) || otherScripts.some((script) => script.test(word))
      ? word
      : word.replaceAll(/[^\p{ASCII}]/gu, (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`),
  );
}

type Unlabelled = Omit<ServerDefinition, 'label'>;

/** What stands after the `@` of servers that no repository has named the place of. */
const ownPlaces = ['user', 'remote', 'workspace', 'folder', 'discovered'];

/**
 * Gives every server a name that means one server: its own if it is the only one, else with its place. What is found in
 * another program's file never takes a configured server's plain name from it.
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

/** A folder called `user` by a repository is not the person's own settings. */
function namedPlace(kind: 'folder' | 'discovered', name: string | undefined): string {
  const shown = shownName(normaliseName(name ?? ''));
  if (shown === '') {
    return kind;
  }
  return ownPlaces.includes(shown.toLowerCase()) ? `${kind}:${shown}` : shown;
}

/** Two folders may carry the same name. */
function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let count = 2; taken.has(label); count += 1) {
    label = `${wanted}~${count}`;
  }
  return label;
}

/** Stable over sessions, different for every place. */
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

/** For people: what the server of an id is called, when nothing else of it is known any more. */
export function nameInId(id: string): string {
  const [scope = '', second = '', ...rest] = id.split(':');
  const isWithoutPlace = scope === 'user' || scope === 'builtIn';
  return shownName(isWithoutPlace ? [second, ...rest].join(':') : rest.join(':'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
