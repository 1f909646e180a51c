import { systemClock, type Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type {
  ArgumentsForm,
  ComposerContext,
  ContextSuggestion,
  GoneAttachment,
  KeptAttachment,
  SuggestionTrigger,
} from '../../contract/chat/attachments.ts';
import type { ToolChange } from '../../contract/chat/contextBudget.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import type { GivenContent, SaidIn, AttachedItem } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import { redactWith } from '../../secrets/redactSecrets.ts';
import { completionReference, formOf, needsForm, wishOf, type Completions, type Fillable } from './argumentForms.ts';
import { shownShortly, suggest, type ChoosableTool, type SuggestionAct } from './contextSuggestions.ts';
import { type ContextRef, type ContextSources, goneOf } from './contextSources.ts';
import { PendingAttachments, type PastedImage } from './pendingAttachments.ts';

export interface ChatContextOptions {
  readonly sources: ContextSources;
  readonly content: Pick<ChatContent, 'offers' | 'secretsIn'>;
  readonly completions: Completions;
  /** Opens a dialog in which the person chooses files. */
  readonly pick: () => Promise<readonly ContextRef[]>;
  readonly tools: () => readonly ChoosableTool[];
  readonly chooseTool: (change: ToolChange) => Promise<void>;
  readonly clock?: Clock;
  readonly createId?: () => string;
}

/** How many of the last suggestion lists a page may still choose from. */
const maxLists = 3;
/** The longest time, in ms, that reading a file may take. */
const maxReadMs = 15_000;

interface OpenForm {
  readonly form: ArgumentsForm;
  readonly fillable: Fillable;
}

/** What belongs to the message being written: its attachments, the suggestions, and a form that is being filled in. */
export class ChatContext implements Disposable {
  readonly #options: ChatContextOptions;
  readonly #createId: () => string;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #pending: PendingAttachments;
  #lists: readonly ReadonlyMap<string, SuggestionAct>[] = [];
  #form: OpenForm | undefined;
  #suggesting = new AbortController();
  #completing = new AbortController();

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeSent: PendingAttachments['onDidChangeSent'];

  constructor(options: ChatContextOptions) {
    this.#options = options;
    this.#createId = options.createId ?? (() => crypto.randomUUID());
    this.#pending = this.#lifetime.add(
      new PendingAttachments({
        sources: options.sources,
        secretsIn: options.content.secretsIn,
        clock: options.clock ?? systemClock,
        createId: this.#createId,
      }),
    );
    this.onDidChangeSent = this.#pending.onDidChangeSent;
    this.#lifetime.add(this.#pending.onDidChange(() => this.#changed.fire()));
  }

  get state(): ComposerContext {
    return { attachments: [...this.#pending.chips], ...(this.#form === undefined ? {} : { form: this.#form.form }) };
  }

  /** The suggestions for what the person typed; undefined when they have typed something else meanwhile. */
  async suggest(trigger: SuggestionTrigger, query: string): Promise<readonly ContextSuggestion[] | undefined> {
    this.leave();
    const { signal } = this.#suggesting;
    const { sources, content, tools } = this.#options;
    try {
      const things = await suggest({ sources, tools, offers: (abort) => content.offers(abort) }, trigger, query, signal);
      const list = things.map(({ suggestion, act }) => ({ suggestion: { ...suggestion, id: this.#createId() }, act }));
      const shown = await Promise.all(list.map(({ suggestion }) => this.#withoutSecrets(suggestion)));
      if (signal.aborted) {
        return undefined;
      }
      this.#lists = [...this.#lists, new Map(list.map(({ suggestion, act }) => [suggestion.id, act]))].slice(-maxLists);
      return shown;
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      throw error;
    }
  }

  /** Stops looking for suggestions that are not wanted any more. */
  leave(): void {
    this.#suggesting.abort();
    this.#suggesting = new AbortController();
  }

  async choose(id: string): Promise<void> {
    const act = this.#lists.findLast((list) => list.has(id))?.get(id);
    switch (act?.kind) {
      case undefined:
        break; // the suggestion is of a list that is long gone
      case 'attach':
        await this.attach([act.found.ref]);
        break;
      case 'wish':
        await this.#pending.addOfServer(act.wish);
        break;
      case 'fill':
        await this.#fillOrAdd(act.fillable);
        break;
      case 'pick':
        await this.attach(await this.#options.pick());
        break;
      case 'tool':
        await this.#options.chooseTool(act.change);
        break;
    }
  }

  /** Attaches several things; one that cannot be read does not keep the others away. Rejects with the first failure. */
  async attach(refs: readonly ContextRef[]): Promise<void> {
    const outcomes = await Promise.allSettled(refs.map((ref) => this.#pending.add(ref, AbortSignal.timeout(maxReadMs))));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /** Attaches a resource or prompt of a server, which is read and asked about when the message is sent. */
  attachOfServer(wish: ContentWish): Promise<void> {
    return this.#pending.addOfServer(wish);
  }

  attachImage(image: PastedImage): Promise<void> {
    return this.#pending.addImage(image);
  }

  /** Attaches the result of a tool that the person ran by hand. */
  attachResult(content: readonly GivenContent[], saidIn: SaidIn): Promise<void> {
    return this.#pending.addResult(content, saidIn);
  }

  /** Attaches what the app with this key wants the model to know, in place of what it said before. */
  attachOfApp(key: string, text: string, saidIn: SaidIn): Promise<void> {
    return this.#pending.addOfApp(key, text, saidIn);
  }

  remove(id: string): void {
    this.#pending.remove(id);
  }

  take(): readonly AttachedItem[] {
    return this.#pending.take();
  }

  giveBack(attached: readonly AttachedItem[]): void {
    this.#pending.giveBack(attached);
  }

  /** How the attachments are found again after a reload. */
  get kept(): readonly KeptAttachment[] {
    return this.#pending.kept;
  }

  /** Attaches again what was attached before a reload; gives back what could not be read again. */
  async restore(kept: readonly KeptAttachment[]): Promise<readonly GoneAttachment[]> {
    const again = kept.map((each) => this.#attachAgain(each).catch(() => goneOf(each)));
    return (await Promise.all(again)).filter((each) => each !== undefined);
  }

  async #attachAgain(kept: KeptAttachment): Promise<GoneAttachment | undefined> {
    switch (kept.kind) {
      case 'gone':
        return kept;
      case 'resource':
      case 'prompt':
        await this.#pending.addOfServer(kept);
        return undefined;
      case 'selection':
        await this.attach([await this.#options.sources.selectLines(kept.path, kept.lines)]);
        return undefined;
      case 'file':
      case 'folder':
      case 'diagnostics':
      case 'changes':
      case 'editors':
        await this.attach([kept]);
        return undefined;
    }
  }

  /** Takes over the attachments of another chat. */
  takeOver(other: ChatContext): void {
    this.#pending.takeOver(other.#pending);
  }

  /** The values that the server proposes for an argument; undefined when something else was asked for meanwhile, or the server failed. */
  async complete(formId: string, argument: string, values: Readonly<Record<string, string>>): Promise<readonly string[] | undefined> {
    this.#completing.abort();
    this.#completing = new AbortController();
    const { signal } = this.#completing;
    const open = this.#form?.form.id === formId ? this.#form : undefined;
    if (open?.form.fields.some(({ name }) => name === argument) !== true) {
      return undefined;
    }
    const { fillable } = open;
    const { serverId } = fillable.kind === 'prompt' ? fillable.prompt : fillable.template;
    const { [argument]: value = '', ...others } = values;
    const context = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
    const request = { reference: completionReference(fillable), argument: { name: argument, value }, context };
    try {
      const found = await this.#options.completions.complete(serverId, request, signal);
      return signal.aborted ? undefined : found;
    } catch {
      return undefined; // the person can fill in the field without proposals
    }
  }

  async fill(formId: string, values: Readonly<Record<string, string>>): Promise<void> {
    if (this.#form?.form.id === formId) {
      await this.#pending.addOfServer(wishOf(this.#form.fillable, values));
      this.closeForm();
    }
  }

  closeForm(): void {
    this.#completing.abort();
    this.#form = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#suggesting.abort();
    this.#completing.abort();
    this.#lifetime.dispose();
  }

  async #fillOrAdd(fillable: Fillable): Promise<void> {
    if (!needsForm(fillable)) {
      await this.#pending.addOfServer(wishOf(fillable, {}));
      return;
    }
    this.#form = { form: formOf(this.#createId(), fillable), fillable };
    this.#changed.fire();
  }

  /** Removes secrets from a suggestion: an address that a server lists may hold a password. */
  async #withoutSecrets(suggestion: ContextSuggestion): Promise<ContextSuggestion> {
    if (suggestion.kind !== 'resource' && suggestion.kind !== 'template') {
      return suggestion;
    }
    const { secretsIn } = this.#options.content;
    return {
      ...suggestion,
      name: shownShortly(await redactWith(suggestion.name, secretsIn)),
      detail: shownShortly(await redactWith(suggestion.detail, secretsIn)),
    };
  }
}
