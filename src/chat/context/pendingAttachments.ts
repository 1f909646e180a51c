import type { Clock } from '../../base/clock.ts';
import { isAbort, isAppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { without } from '../../base/without.ts';
import { type Attachment, type KeptAttachment, maxAttachments } from '../../contract/chat/attachments.ts';
import { isDocumentForModels, isImageForModels } from '../content/forModels.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import { prepareContent, shortText } from '../content/preparedContent.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { AttachedItem, AttachmentReading, GivenContent, SaidIn } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import { type ContextReading, type ContextRef, type ContextSources, isLive, keptOfRef, keptOfWish, nameOfRef } from './contextSources.ts';

/** Of texts and images together: more fits into no model. */
export const maxTotalBytes = 8_000_000;
/** So many that were sent are looked after a while longer. */
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
  /** Base64. */
  readonly data: string;
}

interface Pending {
  readonly wish: AttachedItem['wish'];
  /** What would be the same thing again. */
  readonly key: string;
  readonly kept: KeptAttachment;
  /** Where it waits. */
  owner: PendingAttachments;
  chip: Attachment;
  held: ContextReading | undefined;
}

/** The chips above the text: read when they are added, so that each can say how much it is, and looked after from then on. */
export class PendingAttachments implements Disposable {
  readonly #options: PendingOptions;
  readonly #changed = new Emitter<void>();
  readonly #sentChanged = new Emitter<string>();
  readonly #watching = new Map<string, Disposable>();
  readonly #taken = new WeakMap<AttachedItem['wish'], Pending>();
  #pending: readonly Pending[] = [];

  readonly onDidChange = this.#changed.event;
  /** The id of something that was sent and is not what is there any more. */
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

  /** Twice the same is once. Rejects with an AppError when it cannot be read, or is too much. */
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

  /** Also a PDF. */
  async addImage({ name, mimeType, data }: PastedImage): Promise<void> {
    const isDocument = isDocumentForModels({ mimeType, data });
    if (!isDocument && !isImageForModels({ mimeType, data })) {
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

  /** What a tool gave back to the person; each of them is one of its own. */
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

  /** Read, and asked about, when it is sent. */
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

  /** Hands everything over: nothing waits any more. */
  take(): readonly AttachedItem[] {
    const taken = this.#pending;
    this.#set([]);
    [...this.#watching.keys()].slice(0, -maxSentWatched).forEach((id) => this.#stopWatching(id));
    taken.forEach((pending) => this.#taken.set(pending.wish, pending));
    return taken.map(({ chip, wish, kept }) => ({ chip, wish, kept }));
  }

  /** What was taken and is not sent after all, as far as there is room and it is not here again. */
  giveBack(attached: readonly AttachedItem[]): void {
    const known = attached.map(({ wish }) => this.#taken.get(wish)).filter((pending) => pending !== undefined);
    const fresh = known.filter(({ key }) => !this.#pending.some((pending) => pending.key === key));
    this.#set([...fresh, ...this.#pending].slice(0, maxAttachments));
  }

  /** What waits there waits here from now on, as far as there is room and it is not here already. */
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

  #begin(
    { key, kind, name, kept }: Pick<Attachment, 'kind' | 'name'> & { readonly key: string; readonly kept?: KeptAttachment },
    read: (self: Pending, signal: AbortSignal) => Promise<AttachmentReading>,
    saidIn?: SaidIn,
  ): Pending | undefined {
    const pending: Pending = {
      key,
      kept: kept ?? { kind: 'gone', what: kind, name },
      owner: this,
      chip: { id: this.#options.createId(), kind, name },
      held: undefined,
      wish: { kind: 'attachment', what: kind, name, saidIn, read: (signal) => read(pending, signal) },
    };
    return this.#put(pending);
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

  /** What is live is read once more; when that fails, what the person attached is what they meant. */
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
      throw chatError('chat.attachmentsTooLarge', { bytes: maxTotalBytes });
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

/** Typing fires with every key. */
const settleMs = 400;
/** A source that does not answer is looked at again with its next change. */
const maxLookMs = 10_000;

export interface WatchOptions {
  readonly sources: ContextSources;
  readonly clock: Clock;
  /** What it read as when it was attached. */
  readonly version: string;
  /** What it reads as now; undefined when it cannot be read any more. Only when that is something else. */
  readonly onChanged: (reading: ContextReading | undefined) => void;
}

/** Looks again, a moment after each change, whether what was attached is still what is there. */
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
    return undefined; // gone, or no longer what can be attached
  }
}

/** Why something could not be attached, for people: what the editor says about its files is said to clients. */
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
