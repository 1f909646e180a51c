import type { SentContent } from '../conversation/attachedBlock.ts';
import { Slices } from '../../base/slices.ts';
import { countInvisible, revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ContentItem, FoundSecret } from '../../contract/questions/sentContent.ts';
import { redactWith } from '../../secrets/redactSecrets.ts';
import { secretMark, type SecretPlace } from '../../secrets/secretMarks.ts';
import type { GivenContent } from '../conversation/messageAttachments.ts';
import { base64Bytes, cutToBytes, isDocumentForModels } from './forModels.ts';
import { imageForModels } from '../models/modelImages.ts';
import type { ChatContent } from './hostPorts.ts';

/** The most bytes of text that are sent of one resource or prompt. */
export const maxContentBytes = 400_000;
/** The most parts that are sent; a folder that is read as a resource may have thousands. */
const maxParts = 200;
/** The most images that are sent of one resource or prompt. */
const maxImages = 20;
/** With less room than this, in bytes, the rest is left out. */
const minRoom = 16;

/**
 * Content that is ready to be shown and sent. The secrets are kept beside it: they go only to the model, and only if the person says
 * so.
 */
export interface PreparedContent extends SentContent {
  readonly secrets: readonly HeldSecret[];
  /** How many invisible characters were written out. */
  readonly invisible: number;
}

/**
 * Makes content of a server ready to be shown to the person and sent to the model, which get the same. Invisible characters are written
 * out, because a model reads what a person does not see; secrets are taken out of the text; and what is too long is cut, with a note.
 */
export async function prepareContent(
  given: readonly GivenContent[],
  secretsIn: ChatContent['secretsIn'],
  { hasDocuments = false } = {},
): Promise<PreparedContent> {
  const preparation = new Preparation(secretsIn, hasDocuments);
  for (const part of given.slice(0, maxParts)) {
    await preparation.add(part);
  }
  return preparation.finish(given.slice(maxParts));
}

/**
 * Leaves out the beginning of a prompt of our own, which is our words and what the person typed for them: the rest is of the workspace.
 * Undefined when there is no rest. A beginning in which there is a secret stays, because the person decides about that.
 */
export function withoutOwnWords(prepared: PreparedContent): PreparedContent | undefined {
  const [first, ...rest] = prepared.items;
  const texts = first?.kind === 'text' && first.name === '' ? first.pieces.filter((piece) => typeof piece === 'string') : [];
  if (first?.kind !== 'text' || texts.length === 0 || texts.length < first.pieces.length) {
    return prepared;
  }
  return rest.length === 0 ? undefined : { ...prepared, items: rest, bytes: prepared.bytes - Buffer.byteLength(texts.join('')) };
}

class Preparation {
  readonly #secretsIn: ChatContent['secretsIn'];
  readonly #slices = new Slices();
  readonly #items: ContentItem[] = [];
  readonly #secrets: HeldSecret[] = [];
  readonly #leftOut: GivenContent[] = [];
  readonly #documents: string[] = [];
  readonly #hasDocuments: boolean;
  #room = maxContentBytes;
  #bytes = 0;
  #cutBytes = 0;
  #invisible = 0;
  #images = 0;

  constructor(secretsIn: ChatContent['secretsIn'], hasDocuments: boolean) {
    this.#secretsIn = secretsIn;
    this.#hasDocuments = hasDocuments;
  }

  async add(part: GivenContent): Promise<void> {
    await this.#slices.pauseIfUsedUp();
    const image = part.kind === 'blob' && this.#images < maxImages ? imageForModels(part) : undefined;
    if (part.kind === 'blob' && image !== undefined) {
      const bytes = base64Bytes(part.data);
      this.#images += 1;
      this.#bytes += bytes;
      this.#items.push({ kind: 'image', ...(await this.#commonOf(part)), mimeType: image.mimeType, data: part.data, bytes });
    } else if (part.kind === 'blob' && this.#hasDocuments && isDocumentForModels(part)) {
      const bytes = base64Bytes(part.data);
      this.#bytes += bytes;
      this.#documents.push(part.data);
      this.#items.push({ kind: 'document', ...(await this.#commonOf(part)), mimeType: part.mimeType, bytes });
    } else if (this.#room < minRoom) {
      this.#leftOut.push(part); // it is not searched for secrets, because nothing of it is sent
    } else if (part.kind === 'text') {
      await this.#addText(part);
    } else {
      await this.#addNamed(part);
    }
  }

  finish(rest: readonly GivenContent[]): PreparedContent {
    const leftOut = [...this.#leftOut, ...rest];
    const left = leftOut.reduce((sum, part) => sum + (part.kind === 'text' ? Buffer.byteLength(part.text) : 0), this.#cutBytes);
    return {
      items: this.#items,
      secrets: this.#secrets,
      documents: this.#documents,
      bytes: this.#bytes,
      totalBytes: left > 0 ? this.#bytes + left : undefined,
      totalParts: leftOut.length > 0 ? this.#items.length + leftOut.length : undefined,
      invisible: this.#invisible,
    };
  }

  async #addText(part: GivenContent & { kind: 'text' }): Promise<void> {
    const content = new ContentPieces(this.#room, this.#secrets.length + 1, this.#slices);
    await content.fill(part.text, this.#secretsIn);
    this.#items.push({ kind: 'text', ...(await this.#commonOf(part)), pieces: content.pieces });
    content.secrets.forEach((secret) => this.#secrets.push(secret));
    this.#bytes += content.bytes;
    this.#invisible += content.invisible;
    this.#cutBytes += content.leftBytes;
    // Once a text was cut, nothing more is added, even if a few bytes of room are left.
    this.#room = content.leftBytes > 0 ? 0 : this.#room - content.mostBytes;
  }

  /** Adds content of which only the name is sent; names are the server's words, so they are prepared like any other text. */
  async #addNamed(part: GivenContent & { kind: 'blob' | 'link' }): Promise<void> {
    const common = { ...roleOf(part), name: await this.#counted(part.name) };
    if (part.kind === 'link') {
      this.#items.push({ kind: 'link', ...common, uri: await this.#counted(part.uri) });
      return;
    }
    const [type] = part.mimeType.split('/', 1);
    const what = type === 'image' || type === 'audio' ? type : 'binary';
    this.#items.push({ kind: 'named', ...common, what, mimeType: await this.#counted(part.mimeType), bytes: base64Bytes(part.data) });
  }

  async #counted(text: string): Promise<string> {
    const shown = await shortText(text, this.#secretsIn, this.#room);
    const bytes = Buffer.byteLength(shown);
    this.#bytes += bytes;
    this.#room -= bytes;
    return shown;
  }

  async #commonOf(part: GivenContent): Promise<Pick<ContentItem, 'role' | 'name'>> {
    return { ...roleOf(part), name: await shortText(part.name, this.#secretsIn) };
  }
}

function roleOf({ role }: GivenContent): Pick<ContentItem, 'role'> {
  return role === undefined ? {} : { role };
}

/** How many characters beyond the cut are searched, to recognise a secret that begins before it. */
const lookAhead = 32 * 1024;
/** The most characters that are kept of the line before a secret, to tell people which secret it is. */
const maxBefore = 24;
/** How many characters are prepared at a time. */
const maxStep = 16 * 1024;
/** The most characters of a name, an address or a type. */
const maxShort = 1_000;
const shortLookAhead = 4 * 1024;

type HeldSecret = FoundSecret & { readonly value: string };

/**
 * A text as it is sent, in pieces: with invisible characters written out, a number in place of each secret, and no more than there is
 * room for. The sizes counted are those of what is sent.
 */
class ContentPieces {
  readonly pieces: (string | number)[] = [];
  readonly secrets: HeldSecret[] = [];
  /** The size with a mark in place of each secret. */
  bytes = 0;
  invisible = 0;
  /** The size of the part of the text that did not fit. */
  leftBytes = 0;
  readonly #room: number;
  readonly #firstSecret: number;
  readonly #slices: Slices;
  /** The largest size that the text can have, whichever secrets the person decides to keep. */
  #mostBytes = 0;

  constructor(room: number, firstSecret: number, slices: Slices) {
    this.#room = room;
    this.#firstSecret = firstSecret;
    this.#slices = slices;
  }

  get mostBytes(): number {
    return this.#mostBytes;
  }

  async fill(text: string, secretsIn: ChatContent['secretsIn']): Promise<void> {
    const end = cutToBytes(text.slice(0, this.#room), this.#room).text.length;
    const found = await secretsIn(text.slice(0, end + lookAhead));
    await this.#slices.pauseIfUsedUp();
    const places = together(text, found).filter(({ from }) => from < end);
    let at = 0;
    for (const { from, to } of [...places, { from: end, to: end }]) {
      const reached = await this.#addText(text, at, from);
      const next = Math.min(to, end);
      const isFull = reached < from || !this.#addSecret(text.slice(at, from), text.slice(from, next));
      at = isFull ? reached : next;
      if (isFull) {
        break;
      }
    }
    this.leftBytes = at < text.length ? Buffer.byteLength(text.slice(at)) : 0;
  }

  /** Adds text as far as there is room; gives back how far it came. */
  async #addText(text: string, from: number, to: number): Promise<number> {
    let at = from;
    for (let step = maxStep; at < to;) {
      const given = text.slice(at, wholeCharacters(text, Math.min(to, at + step), to));
      const shown = revealInContent(given);
      const size = Buffer.byteLength(shown);
      if (this.#mostBytes + size <= this.#room) {
        this.#push(shown, size, size);
        this.invisible += countInvisible(given);
        at += given.length;
        await this.#slices.pauseIfUsedUp();
      } else if (step > 1) {
        step = Math.floor(step / 2);
      } else {
        break;
      }
    }
    return at;
  }

  /** Adds a secret. False when there was no room; an empty one needs none. */
  #addSecret(textBefore: string, given: string): boolean {
    if (given === '') {
      return true;
    }
    const value = revealInContent(given);
    const most = Math.max(Buffer.byteLength(value), secretMark.length);
    if (this.#mostBytes + most > this.#room) {
      return false;
    }
    const [line = ''] = revealInvisible(textBefore.slice(-4 * maxBefore))
      .split('\n')
      .slice(-1);
    this.secrets.push({ value, length: value.length, before: line.slice(-maxBefore).trimStart() });
    this.invisible += countInvisible(given);
    this.#push(this.#firstSecret + this.secrets.length - 1, secretMark.length, most);
    return true;
  }

  #push(piece: string | number, size: number, most: number): void {
    const last = this.pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') {
      this.pieces[this.pieces.length - 1] = last + piece;
    } else {
      this.pieces.push(piece);
    }
    this.bytes += size;
    this.#mostBytes += most;
  }
}

/** Prepares a short text of a server (a name, an address, a type, a reason): without secrets, with invisible characters written out, and cut. */
export async function shortText(text: string, secretsIn: ChatContent['secretsIn'], maxBytes = Number.MAX_SAFE_INTEGER): Promise<string> {
  const near = text.slice(0, maxShort + shortLookAhead);
  const shown = revealInvisible(await redactWith(near, secretsIn));
  if (near.length === text.length && shown.length <= maxShort && Buffer.byteLength(shown) <= maxBytes) {
    return shown;
  }
  const ellipsis = '…';
  const room = maxBytes - Buffer.byteLength(ellipsis);
  if (room < 0) {
    return '';
  }
  return `${cutToBytes(shown.slice(0, maxShort).replace(/[\uD800-\uDBFF]$/, ''), room).text}${ellipsis}`;
}

/** Joins secrets with only white space between them: to a person, the lines of one key are one secret. */
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

/** Moves the end of a step so that it does not split a surrogate pair, a line break, or a character and its variation selector. */
function wholeCharacters(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && to < at + 4 && /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n|[^]\uFE0F)$/.test(text.slice(to - 1, to + 1))) {
    to += 1;
  }
  return to;
}
