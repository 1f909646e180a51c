import type { ContentItem } from '../../contract/sentContent.ts';
import { base64Bytes, isDocumentForModels, isImageForModels } from '../toolResults.ts';
import type { ChatContent, GivenContent } from './chatContent.ts';
import { Turns } from '../../base/turns.ts';
import { ContentPieces, shortText, type HeldSecret } from './contentPieces.ts';

/** More text than this of one resource or prompt is not sent. */
export const maxContentBytes = 400_000;
/** So many parts; a folder that is read as a resource may have thousands. */
const maxParts = 200;
const maxImages = 20;
/** In less, nothing worth reading has room. */
const minRoom = 16;

/** What would be sent, with the values of secrets beside it: they go to the model only, and only if the person says so. */
export interface PreparedContent {
  readonly items: readonly ContentItem[];
  readonly secrets: readonly HeldSecret[];
  /** Of the documents among the items, in their order: base64. */
  readonly documents: readonly string[];
  /** Of the server's words and images, as they are sent without the secrets. */
  readonly bytes: number;
  /** Set when texts were cut or left out: with the rest, as the server gave it. */
  readonly totalBytes: number | undefined;
  /** Set when the server gave more parts than are sent. */
  readonly totalParts: number | undefined;
  readonly invisible: number;
}

/**
 * What a server gave, made ready to be shown and sent, which is one and the same: invisible characters are written out (a
 * model reads what a person does not see), secrets are held apart from the text, and what is too long is cut, and said to be.
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

class Preparation {
  readonly #secretsIn: ChatContent['secretsIn'];
  readonly #turns = new Turns();
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
    await this.#turns.next();
    if (part.kind === 'blob' && this.#images < maxImages && isImageForModels(part)) {
      const bytes = base64Bytes(part.data);
      this.#images += 1;
      this.#bytes += bytes;
      this.#items.push({ kind: 'image', ...(await this.#commonOf(part)), mimeType: part.mimeType, data: part.data, bytes });
    } else if (part.kind === 'blob' && this.#hasDocuments && isDocumentForModels(part)) {
      const bytes = base64Bytes(part.data);
      this.#bytes += bytes;
      this.#documents.push(part.data);
      this.#items.push({ kind: 'document', ...(await this.#commonOf(part)), mimeType: part.mimeType, bytes });
    } else if (this.#room < minRoom) {
      this.#leftOut.push(part); // and not searched: nothing of it is sent
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
    const content = new ContentPieces(this.#room, this.#secrets.length + 1, this.#turns);
    await content.fill(part.text, this.#secretsIn);
    this.#items.push({ kind: 'text', ...(await this.#commonOf(part)), pieces: content.pieces });
    content.secrets.forEach((secret) => this.#secrets.push(secret));
    this.#bytes += content.bytes;
    this.#invisible += content.invisible;
    this.#cutBytes += content.leftBytes;
    // What did not fit is the end, also when the last character was too long for the room that was left.
    this.#room = content.leftBytes > 0 ? 0 : this.#room - content.mostBytes;
  }

  /** The model is told the names, which are the server's words like any other. */
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
