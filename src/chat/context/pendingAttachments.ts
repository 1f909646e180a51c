import type { Clock } from '../../base/clock.ts';
import { isAbort, isAppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { without } from '../../base/without.ts';
import { type Attachment, type KeptAttachment, maxAttachments } from '../../contract/chat/attachments.ts';
import { isDocumentForModels } from '../content/forModels.ts';
import { imageForModels } from '../models/modelImages.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import { prepareContent, shortText } from '../content/preparedContent.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { AttachedItem, AttachmentReading, GivenContent, SaidIn } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import { type ContextReading, type ContextRef, type ContextSources, isLive, keptOfRef, keptOfWish, nameOfRef } from './contextSources.ts';

/** The most bytes that can be attached to one message; no model takes more. */
export const maxTotalBytes = 8_000_000;
/** The most attachments that are still watched for changes after they were sent. */
const maxSentWatched = 40;

export interface PendingOptions {
  readonly sources: ContextSources;
  readonly secretsIn: ChatContent['secretsIn'];
  readonly clock: Clock;
  readonly createId: () => string;
}

export interface PastedImage {
  readonly name: string;
  readonly mimeType: string;
  /** The data of the image, as base64. */
  readonly data: string;
}

interface Pending {
  readonly wish: AttachedItem['wish'];
  /** Equal for two attachments of the same thing. */
  readonly key: string;
  readonly kept: KeptAttachment;
  /** The list that the attachment is in now; it can move to another chat. */
  owner: PendingAttachments;
  chip: Attachment;
  held: ContextReading | undefined;
}

type Source = Pick<Attachment, 'kind' | 'name'> & { readonly key: string; readonly kept?: KeptAttachment };
type ReadToSend = (self: Pending, signal: AbortSignal) => Promise<AttachmentReading>;

/**
 * The attachments of the message being written. Each is read when it is added, so that its chip can show its size, and watched for
 * changes from then on.
 */
export class PendingAttachments implements Disposable {
  readonly #options: PendingOptions;
  readonly #changed = new Emitter<void>();
  readonly #sentChanged = new Emitter<string>();
  readonly #watching = new Map<string, Disposable>();
  readonly #taken = new WeakMap<AttachedItem['wish'], Pending>();
  #pending: readonly Pending[] = [];

  readonly onDidChange = this.#changed.event;
  /** Fired with the id of an attachment that was sent and has changed since. */
  readonly onDidChangeSent = this.#sentChanged.event;

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  get kept(): readonly KeptAttachment[] {
    return this.#pending.map(({ kept }) => kept);
  }

  get chips(): readonly Attachment[] {
    return this.#pending.map(({ chip }) => chip);
  }

  /**
   * Attaches something of the editor; the same thing is attached only once. Rejects with an AppError when it cannot be read or is too
   * large.
   */
  async add(ref: ContextRef, signal: AbortSignal): Promise<void> {
    const name = nameOfRef(ref);
    const source = { key: `${ref.kind} ${name}`, kind: ref.kind, name: await this.#shown(name), kept: keptOfRef(ref) };
    const pending = this.#begin(source, (self, abort) => this.#readToSend(ref, self, abort));
    if (pending === undefined) {
      return;
    }
    const { id } = pending.chip;
    try {
      const reading = await this.#options.sources.read(ref, signal);
      await this.#measure(pending, reading);
      const onChanged = (now: ContextReading | undefined): void => void pending.owner.#noteChange(pending, ref, now).catch(() => undefined);
      pending.owner.#watching.set(id, watchSource(ref, { ...this.#options, version: reading.version, onChanged }));
    } catch (error) {
      pending.owner.remove(id);
      if (!isAbort(error)) {
        throw attachError(error, pending.chip.name);
      }
    }
  }

  /** Attaches an image or a PDF that the person pasted. */
  async addImage({ name, mimeType, data }: PastedImage): Promise<void> {
    const isDocument = isDocumentForModels({ mimeType, data });
    if (!isDocument && imageForModels({ mimeType, data }) === undefined) {
      throw chatError('chat.imageRefused');
    }
    const content: readonly GivenContent[] = [{ kind: 'blob', name, mimeType, data }];
    const reading = { content, version: '', isWithheld: false };
    const id = this.#options.createId();
    const pending = this.#begin({ key: id, kind: isDocument ? 'file' : 'image', name: await this.#shown(name) }, () =>
      Promise.resolve(reading),
    );
    if (pending !== undefined) {
      await this.#measure(pending, reading);
    }
  }

  /** Attaches the result of a tool that the person ran; each result is an attachment of its own. */
  async addResult(content: readonly GivenContent[], saidIn: SaidIn): Promise<void> {
    const reading = { content, version: '', isWithheld: false };
    const [tool, server] = [await this.#shown(saidIn.tool), await this.#shown(saidIn.server)];
    const pending = this.#begin(
      { key: this.#options.createId(), kind: 'result', name: `${server} ${tool}` },
      () => Promise.resolve(reading),
      saidIn,
    );
    if (pending !== undefined) {
      await this.#measure(pending, reading);
    }
  }

  /** Attaches what an app wants the model to know, in place of what it said before; an empty text takes that back. */
  async addOfApp(key: string, text: string, saidIn: SaidIn): Promise<void> {
    const [tool, server] = [await this.#shown(saidIn.tool), await this.#shown(saidIn.server)];
    const reading = { content: [{ kind: 'text', name: '', text } as const], version: '', isWithheld: false };
    const pending = this.#made({ key, kind: 'result', name: `${server} ${tool}` }, () => Promise.resolve(reading), saidIn);
    const others = this.#pending.filter((each) => each.key !== key);
    if (text !== '' && others.length >= maxAttachments) {
      throw chatError('chat.tooManyAttachments', { count: maxAttachments });
    }
    this.#set(text === '' ? others : [...others, pending]);
    if (text !== '') {
      await this.#measure(pending, reading);
    }
  }

  /** Attaches a resource or prompt of a server, which is read and asked about when the message is sent. */
  async addOfServer(wish: ContentWish): Promise<void> {
    const [name, server] = [await this.#shown(wish.name), await this.#shown(wish.server)];
    const values = wish.kind === 'resource' ? wish.uri : JSON.stringify([wish.name, wish.arguments]);
    const key = `${wish.kind} ${wish.serverId} ${values}`;
    const kept = await keptOfWish(wish, name, this.#options.secretsIn);
    this.#put({ key, wish, kept, owner: this, held: undefined, chip: { id: this.#options.createId(), kind: wish.kind, name, server } });
  }

  remove(id: string): void {
    this.#stopWatching(id);
    this.#set(this.#pending.filter(({ chip }) => chip.id !== id));
  }

  /** Hands over all attachments to a message that is sent; none are left. */
  take(): readonly AttachedItem[] {
    const taken = this.#pending;
    this.#set([]);
    [...this.#watching.keys()].slice(0, -maxSentWatched).forEach((id) => this.#stopWatching(id));
    taken.forEach((pending) => this.#taken.set(pending.wish, pending));
    return taken.map(({ chip, wish, kept }) => ({ chip, wish, kept }));
  }

  /** Puts attachments back whose message is not sent after all, as far as there is room and they are not attached again. */
  giveBack(attached: readonly AttachedItem[]): void {
    const known = attached.map(({ wish }) => this.#taken.get(wish)).filter((pending) => pending !== undefined);
    const fresh = known.filter(({ key }) => !this.#pending.some((pending) => pending.key === key));
    this.#set([...fresh, ...this.#pending].slice(0, maxAttachments));
  }

  /** Takes over the attachments of another chat, as far as there is room and they are not attached here already. */
  takeOver(other: PendingAttachments): void {
    const fresh = other.#pending.filter(({ key }) => !this.#pending.some((pending) => pending.key === key));
    fresh.forEach((pending) => {
      pending.owner = this;
      const watching = other.#watching.get(pending.chip.id);
      if (watching !== undefined) {
        other.#watching.delete(pending.chip.id);
        this.#watching.set(pending.chip.id, watching);
      }
    });
    other.#set([]);
    this.#set([...this.#pending, ...fresh].slice(0, maxAttachments));
  }

  dispose(): void {
    [...this.#watching.keys()].forEach((id) => this.#stopWatching(id));
    this.#changed.dispose();
    this.#sentChanged.dispose();
  }

  #begin(source: Source, read: ReadToSend, saidIn?: SaidIn): Pending | undefined {
    return this.#put(this.#made(source, read, saidIn));
  }

  #made({ key, kind, name, kept }: Source, read: ReadToSend, saidIn?: SaidIn): Pending {
    const pending: Pending = {
      key,
      kept: kept ?? { kind: 'gone', what: kind, name },
      owner: this,
      chip: { id: this.#options.createId(), kind, name },
      held: undefined,
      wish: { kind: 'attachment', what: kind, name, saidIn, read: (signal) => read(pending, signal) },
    };
    return pending;
  }

  #put(pending: Pending): Pending | undefined {
    if (this.#pending.some(({ key }) => key === pending.key)) {
      return undefined;
    }
    if (this.#pending.length >= maxAttachments) {
      throw chatError('chat.tooManyAttachments', { count: maxAttachments });
    }
    this.#set([...this.#pending, pending]);
    return pending;
  }

  /** Reads an attachment when it is sent. A live one is read again; if that fails, the text read when it was attached is sent. */
  async #readToSend(ref: ContextRef, { held }: Pending, signal: AbortSignal): Promise<AttachmentReading> {
    if (held !== undefined && !isLive(ref.kind)) {
      return held;
    }
    try {
      return await this.#options.sources.read(ref, signal);
    } catch (error) {
      if (held === undefined || signal.aborted) {
        throw attachError(error, nameOfRef(ref));
      }
      return held;
    }
  }

  async #measure(pending: Pending, reading: ContextReading): Promise<void> {
    pending.held = reading;
    const prepared = await prepareContent(reading.content, this.#options.secretsIn, { hasDocuments: true });
    this.#update(pending, {
      ...without(pending.chip, 'secrets', 'isWithheld', 'isCut', 'isPdf'),
      ...(prepared.documents.length > 0 ? { isPdf: true } : {}),
      bytes: prepared.bytes,
      ...(prepared.secrets.length > 0 ? { secrets: prepared.secrets.length } : {}),
      ...(reading.isWithheld ? { isWithheld: true } : {}),
      ...(prepared.totalBytes !== undefined || prepared.totalParts !== undefined ? { isCut: true } : {}),
    });
    if (pending.owner.chips.reduce((sum, { bytes = 0 }) => sum + bytes, 0) > maxTotalBytes) {
      pending.owner.remove(pending.chip.id);
      throw chatError('chat.attachmentsTooLarge', { megabytes: maxTotalBytes / 1_000_000 });
    }
  }

  async #noteChange(pending: Pending, { kind }: ContextRef, now: ContextReading | undefined): Promise<void> {
    if (!this.#pending.includes(pending)) {
      this.#sentChanged.fire(pending.chip.id);
      return;
    }
    const isSentAnew = isLive(kind) && now !== undefined;
    if (isSentAnew) {
      await this.#measure(pending, now);
    }
    this.#update(pending, { ...pending.chip, changed: isSentAnew ? 'live' : 'captured' });
  }

  #update(pending: Pending, chip: Attachment): void {
    pending.chip = chip;
    pending.owner.#set(pending.owner.#pending);
  }

  #set(pending: readonly Pending[]): void {
    this.#pending = pending;
    this.#changed.fire();
  }

  #stopWatching(id: string): void {
    this.#watching.get(id)?.dispose();
    this.#watching.delete(id);
  }

  #shown(name: string): Promise<string> {
    return shortText(name, this.#options.secretsIn);
  }
}

/** How long, in ms, a source has to be quiet before it is read again: typing fires with every key. */
const settleMs = 400;
/** The longest time, in ms, that reading a source may take; after that it is read with its next change. */
const maxLookMs = 10_000;

export interface WatchOptions {
  readonly sources: ContextSources;
  readonly clock: Clock;
  /** The version that was read when it was attached. */
  readonly version: string;
  /** Called when the source has changed, with what it reads as now; undefined when it cannot be read any more. */
  readonly onChanged: (reading: ContextReading | undefined) => void;
}

/** Reads a source again a moment after each change, and tells when it is not what was attached any more. */
function watchSource(ref: ContextRef, { sources, clock, version, onChanged }: WatchOptions): Disposable {
  const over = new AbortController();
  let known: string | undefined = version;
  let timer: Disposable | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    isLooking = true;
    try {
      const reading = await readNow(ref, sources, over.signal);
      if (!over.signal.aborted && reading?.version !== known) {
        known = reading?.version;
        onChanged(reading);
      }
    } finally {
      isLooking = false;
    }
  };
  const lookSoon = (): void => {
    timer?.dispose();
    timer = clock.schedule(settleMs, () => (isLooking ? lookSoon() : void look()));
  };
  const watching = sources.watch(ref, lookSoon);
  return toDisposable(() => {
    over.abort();
    timer?.dispose();
    watching.dispose();
  });
}

async function readNow(ref: ContextRef, sources: ContextSources, signal: AbortSignal): Promise<ContextReading | undefined> {
  try {
    return await sources.read(ref, AbortSignal.any([signal, AbortSignal.timeout(maxLookMs)]));
  } catch {
    return undefined; // the source is gone, or can no longer be attached
  }
}

/** Makes the error that tells the person why something could not be attached, because the editor's own errors are worded for clients. */
function attachError(error: unknown, name: string): unknown {
  if (!isAppError(error) || isAbort(error)) {
    return error;
  }
  switch (error.code) {
    case 'editor.binary':
      return chatError('chat.attachBinary', { name });
    case 'editor.tooLarge':
    case 'editor.imageTooLarge':
      return chatError('chat.attachTooLarge', { name });
    case 'editor.pathNotFound':
    case 'editor.isFile':
    case 'editor.isFolder':
      return chatError('chat.attachMissing', { name });
    default:
      return error.code.startsWith('chat.') ? error : chatError('chat.attachFailed', { name }, { detail: error.message });
  }
}
