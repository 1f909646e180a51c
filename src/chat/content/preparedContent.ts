import { countInvisible, revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ContentItem, FoundSecret } from '../../contract/sentContent.ts';
import { base64Bytes, cutToBytes, isImageForModels } from '../toolResults.ts';
import type { ChatContent, GivenContent, SecretPlace } from './chatContent.ts';

/** More text than this of one resource or prompt is not sent. */
export const maxContentBytes = 400_000;
/** So many parts; a folder that is read as a resource may have thousands. */
const maxParts = 200;
const maxImages = 20;
/** A secret that begins before the end is known by what follows. */
const lookAhead = 32 * 1024;
const maxBefore = 24;

type HeldSecret = FoundSecret & { readonly value: string };

/** What would be sent, with the values of secrets beside it: they go to the model only, and only if the person says so. */
export interface PreparedContent {
  readonly items: readonly ContentItem[];
  readonly secrets: readonly HeldSecret[];
  readonly bytes: number;
  /** Set when the server gave more than is sent. */
  readonly totalBytes: number | undefined;
  readonly invisible: number;
}

/**
 * What a server gave, made ready to be shown and sent, which is one and the same: invisible characters are written out (a
 * model reads what a person does not see), secrets are held apart from the text, and what is too long is cut, and said to be.
 */
export async function prepareContent(given: readonly GivenContent[], secretsIn: ChatContent['secretsIn']): Promise<PreparedContent> {
  const items: ContentItem[] = [];
  const secrets: HeldSecret[] = [];
  let [bytes, images, invisible] = [0, 0, 0];
  for (const part of given.slice(0, maxParts)) {
    if (part.kind === 'text') {
      const { text } = cutToBytes(part.text, Math.max(0, maxContentBytes - bytes));
      items.push({ kind: 'text', ...commonOf(part), pieces: await piecesOf(part.text, text.length, secrets, secretsIn) });
      invisible += countInvisible(text);
      bytes += Buffer.byteLength(text);
    } else {
      const item = part.kind === 'link' ? await linkOf(part, secretsIn) : blobOf(part, images < maxImages);
      images += item.kind === 'image' ? 1 : 0;
      items.push(item);
    }
  }
  const texts = given.reduce((sum, part) => sum + (part.kind === 'text' ? Buffer.byteLength(part.text) : 0), 0);
  const isCut = bytes < texts || given.length > maxParts;
  const imageBytes = items.reduce((sum, item) => sum + (item.kind === 'image' ? item.bytes : 0), 0);
  return { items, secrets, bytes: bytes + imageBytes, totalBytes: isCut ? texts + imageBytes : undefined, invisible };
}

/** For short texts of a server that are shown and sent around the content: an address may carry a password. */
export async function withoutSecrets(text: string, secretsIn: ChatContent['secretsIn']): Promise<string> {
  const places = await secretsIn(text);
  return places.length === 0 ? text : pieces(text, text.length, places, () => secretMark).join('');
}

/** What stands in the place of a secret that was removed. */
export const secretMark = '[redacted]';

async function piecesOf(
  text: string,
  end: number,
  secrets: HeldSecret[],
  secretsIn: ChatContent['secretsIn'],
): Promise<(string | number)[]> {
  const places = together(text, await secretsIn(text.slice(0, end + lookAhead))).filter(({ from }) => from < end);
  return pieces(text, end, places, (value, textBefore) => {
    const [line = ''] = revealInvisible(textBefore.slice(-4 * maxBefore))
      .split('\n')
      .slice(-1);
    secrets.push({ value, length: value.length, before: line.slice(-maxBefore).trimStart() });
    return secrets.length;
  });
}

/** The text with something else in the place of each secret, and nothing hidden in the rest. */
function pieces<T>(
  text: string,
  end: number,
  places: readonly SecretPlace[],
  replace: (value: string, textBefore: string) => T,
): (string | T)[] {
  const found: (string | T)[] = [];
  let done = 0;
  for (const { from, to } of places) {
    const textBefore = text.slice(done, from);
    found.push(revealInContent(textBefore), replace(text.slice(from, Math.min(to, end)), textBefore));
    done = Math.min(to, end);
  }
  return [...found, revealInContent(text.slice(done, end))].filter((piece) => piece !== '');
}

/** The lines of one key are one secret to a person. */
function together(text: string, places: readonly SecretPlace[]): readonly SecretPlace[] {
  const joined: SecretPlace[] = [];
  for (const place of places) {
    const last = joined.at(-1);
    if (last !== undefined && /^(?:\s|\\[nr]){0,16}$/.test(text.slice(last.to, Math.min(place.from, last.to + 32)))) {
      joined[joined.length - 1] = { from: last.from, to: place.to };
    } else {
      joined.push(place);
    }
  }
  return joined;
}

async function linkOf(part: GivenContent & { kind: 'link' }, secretsIn: ChatContent['secretsIn']): Promise<ContentItem> {
  return { kind: 'link', ...commonOf(part), uri: revealInvisible(await withoutSecrets(part.uri, secretsIn)) };
}

function blobOf(part: GivenContent & { kind: 'blob' }, hasRoom: boolean): ContentItem {
  const mimeType = revealInvisible(part.mimeType);
  const bytes = base64Bytes(part.data);
  if (hasRoom && isImageForModels(part)) {
    return { kind: 'image', ...commonOf(part), mimeType, data: part.data, bytes };
  }
  const [type] = part.mimeType.split('/');
  return { kind: 'named', ...commonOf(part), what: type === 'image' || type === 'audio' ? type : 'binary', mimeType, bytes };
}

function commonOf({ role, name }: GivenContent): Pick<ContentItem, 'role' | 'name'> {
  return { ...(role === undefined ? {} : { role }), name: revealInvisible(name) };
}
