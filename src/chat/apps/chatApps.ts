// apps/: the pages that servers give to their tools, as the cards of one chat show them. The host reads them, asks about them and
// speaks with them; here is which of them are shown.
import { isAbort, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { without } from '../../base/without.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { AppEnding, AppLook, appToView, CallApp } from '../../contract/chat/appMessages.ts';
import type { ToolCallPart, ToolResultItem } from '../../contract/chat/chatState.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { ChatSentenceCode, ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SaidIn } from '../conversation/messageAttachments.ts';
import type { ChatSession } from '../turn/chatSession.ts';
import type { AllowedApp, AppPort, AppTabs, DisplayMode, ShownApp, WantedApp } from './appPort.ts';
import { TabShowing } from './tabShowing.ts';

export interface ChatAppsOptions {
  readonly session: Pick<ChatSession, 'conversation' | 'questions' | 'send' | 'onDidOpen'>;
  /** Attaches what the app of a card wants the model to know. */
  readonly attach: (partId: string, text: string, saidIn: SaidIn) => Promise<void>;
  readonly port: AppPort;
  readonly tabs: AppTabs;
  readonly sentences: ChatSentences;
  readonly report: (error: unknown) => void;
}

/** The most apps that one chat shows at a time. */
export const maxLiveApps = 4;

interface Live {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly gone: AbortController;
  app?: AllowedApp;
  /** The showing in the chat. */
  shown?: ShownApp | undefined;
  /** The showing in a tab of the editor, where it is there instead. */
  tab?: TabShowing | undefined;
  /** How often the app itself has changed between the two. */
  changes: number;
}

/** How often an app may change from the chat to a tab or back before only the person can. */
const maxChanges = 10;

export type AppViewMessage = MessageOf<typeof appToView>;

/** The apps that one chat shows. An app that is not shown is asleep: it has no frame and runs no code. */
export class ChatApps implements Disposable {
  readonly #options: ChatAppsOptions;
  readonly #lifetime = new DisposableStore();
  readonly #messages = this.#lifetime.add(new Emitter<AppViewMessage>());
  /** By the card of the call, in the order in which they were woken. */
  readonly #live = new Map<string, Live>();

  readonly onMessage = this.#messages.event;

  constructor(options: ChatAppsOptions) {
    this.#options = options;
    this.#lifetime.add(options.session.onDidOpen(() => this.#dropAll()));
  }

  /** Shows the app of a card, after the person was asked. Never rejects. */
  async wake(partId: string): Promise<void> {
    const { conversation } = this.#options.session;
    const place = findCall(conversation, partId);
    if (place?.part.app === undefined || this.#live.has(partId)) {
      return;
    }
    const live: Live = { conversation, itemId: place.itemId, gone: new AbortController(), changes: 0 };
    this.#makeRoom();
    this.#live.set(partId, live);
    this.#set(partId, live, 'opening');
    try {
      await this.#open(partId, live, place.part, place.part.app);
    } catch (error) {
      this.#sleep(partId, live, isAbort(error) ? undefined : messageOf(error));
    }
  }

  /** Ends the app of a card, which can be woken again. */
  async close(partId: string, note?: string): Promise<void> {
    const live = this.#live.get(partId);
    if (live === undefined) {
      return;
    }
    // The frame goes with the state, so the app is told first.
    await (live.tab ?? live.shown)?.end();
    this.#sleep(partId, live, note);
  }

  /** Shows the app of a card in a tab of the editor, where it begins anew. Only an app that declares it can be shown so. */
  async enlarge(partId: string, isPressed = true): Promise<void> {
    const live = this.#live.get(partId);
    if (live?.app === undefined || live.tab !== undefined) {
      return;
    }
    await live.shown?.end();
    await this.#openTab(partId, live, live.app, 'fullscreen', isPressed);
  }

  /** Shows an app that is in a tab in the chat again, where it begins anew. */
  async shrink(partId: string): Promise<void> {
    const live = this.#live.get(partId);
    const tab = live?.tab;
    if (live === undefined || tab === undefined) {
      return;
    }
    await tab.end();
    if (live.tab === tab) {
      this.#leaveTab(partId, live);
    }
  }

  /** The page has made a place for the app, perhaps for a second time: the app begins anew in it. */
  mounted(partId: string, look: AppLook): void {
    const live = this.#live.get(partId);
    if (live?.app === undefined || live.tab !== undefined) {
      return;
    }
    live.shown?.dispose();
    const { html, policy } = live.app;
    this.#messages.fire({ name: 'app/frame', body: { partId, html, policy } });
    live.shown = live.app.begin(look, {
      mode: 'inline',
      send: (text) => this.#messages.fire({ name: 'app/say', body: { partId, text } }),
      resize: (height) => this.#messages.fire({ name: 'app/size', body: { partId, height } }),
      close: () => void this.close(partId),
      declared: (modes) => this.#set(partId, live, 'live', undefined, modes.includes('fullscreen')),
      change: this.#changeOf(live, () => this.enlarge(partId, false)),
    });
  }

  look(partId: string, look: AppLook): void {
    this.#live.get(partId)?.shown?.setLook(look);
  }

  said(partId: string, text: string): void {
    this.#live.get(partId)?.shown?.receive(text);
  }

  /** The page has ended the app, and its frame is gone. */
  broke(partId: string, reason: AppEnding): void {
    const live = this.#live.get(partId);
    if (live === undefined || live.tab !== undefined) {
      return;
    }
    if (reason === 'notLoaded' && live.app !== undefined) {
      // The chat's own way to show an app is not there in this window; a tab has another one.
      live.shown?.dispose();
      void this.#openTab(partId, live, live.app, 'inline', false);
    } else {
      this.#sleep(partId, live, this.#options.sentences(endings[reason]));
    }
  }

  dispose(): void {
    this.#dropAll();
    this.#lifetime.dispose();
  }

  async #open(partId: string, live: Live, part: ToolCallPart, { uri, key }: CallApp): Promise<void> {
    const { port, sentences, session, report, attach } = this.#options;
    const call = (key === undefined ? undefined : port.resultOf(key)) ?? storedCall(part);
    const { server, tool, serverId = '' } = part;
    const answer = await port.open({
      serverId,
      tool,
      uri,
      call,
      ask: (question, signal) => this.#ask(live, question, signal),
      say: (text) => void session.send(text, []).catch(report),
      tellModel: (text) => attach(partId, text, { serverId, server, tool, arguments: call.arguments }),
      signal: live.gone.signal,
    });
    if (live.gone.signal.aborted) {
      return;
    }
    if (answer.kind === 'opened') {
      live.app = answer.app;
      this.#set(partId, live, 'live');
    } else {
      const refusal = answer.kind === 'denied' && answer.by === 'ledger' ? 'chat.toolDeniedBefore' : 'chat.appDenied';
      this.#sleep(partId, live, answer.kind === 'failed' ? answer.sentence : sentences(refusal));
    }
  }

  async #openTab(partId: string, live: Live, app: AllowedApp, mode: DisplayMode, isPressed: boolean): Promise<void> {
    live.shown = undefined;
    const { part } = findCall(live.conversation, partId) ?? {};
    if (this.#live.get(partId) !== live || part === undefined) {
      return;
    }
    const isLarge = mode === 'fullscreen';
    const tab = new TabShowing({
      ...{ app, mode, isPressed, server: part.server, tool: part.tool, hasBack: isLarge, tabs: this.#options.tabs },
      change: isLarge ? this.#changeOf(live, () => this.shrink(partId)) : undefined,
      onBack: () => void this.shrink(partId),
      onClosed: () => (isLarge ? this.#leaveTab(partId, live) : this.#sleep(partId, live, undefined)),
      onClose: () => void this.close(partId),
      onBroke: (reason) => this.#sleep(partId, live, this.#options.sentences(endings[reason])),
    });
    live.tab = tab;
    this.#set(partId, live, 'tab');
    try {
      await tab.open();
    } catch (error) {
      this.#sleep(partId, live, messageOf(error));
    }
  }

  /** The tab is gone: the app is in the chat again. */
  #leaveTab(partId: string, live: Live): void {
    live.tab?.dispose();
    live.tab = undefined;
    if (this.#live.get(partId) === live) {
      this.#set(partId, live, 'live');
    }
  }

  /** How an app changes its mode by itself, as long as it does not do so too often. */
  #changeOf(live: Live, change: () => Promise<void>): (() => void) | undefined {
    if (live.changes >= maxChanges) {
      return undefined;
    }
    return () => {
      live.changes += 1;
      void change().catch(this.#options.report);
    };
  }

  /** A question of an app is shown below, in the answer that its card belongs to. */
  #ask({ conversation, itemId, gone }: Live, ...[question, signal]: Parameters<Ask>): ReturnType<Ask> {
    return this.#options.session.questions.ask(question, AbortSignal.any([signal, gone.signal]), {
      show: (open) => conversation.addPart(itemId, { kind: 'question', id: open.askId, question: open }),
      hide: () => conversation.removePart(itemId, question.askId),
    });
  }

  /** Puts the app that was woken first to sleep where there would be too many. */
  #makeRoom(): void {
    const [first] = this.#live;
    if (this.#live.size >= maxLiveApps && first !== undefined) {
      const [partId, live] = first;
      this.#sleep(partId, live, this.#options.sentences('chat.appMakesRoom', { max: maxLiveApps }));
    }
  }

  #sleep(partId: string, live: Live, note: string | undefined): void {
    live.gone.abort();
    live.shown?.dispose();
    live.tab?.dispose();
    if (this.#live.get(partId) !== live) {
      return; // it was ended before, and may have been woken again
    }
    this.#live.delete(partId);
    this.#set(partId, live, 'asleep', note);
  }

  #dropAll(): void {
    for (const { gone, shown, tab } of this.#live.values()) {
      gone.abort();
      shown?.dispose();
      tab?.dispose();
    }
    this.#live.clear();
  }

  #set(partId: string, { conversation, itemId }: Live, state: CallApp['state'], note?: string, isLarge?: boolean): void {
    conversation.updateToolCall(
      itemId,
      partId,
      (part) => {
        if (part.app === undefined) {
          return part;
        }
        const more = { ...(note !== undefined && { note }), ...(isLarge !== undefined && { canBeLarge: isLarge }) };
        return { ...part, app: { ...without(part.app, 'note'), state, ...more } };
      },
      'now',
    );
  }
}

/** What is said of an app that a page has ended. */
export const endings: Readonly<Record<AppEnding, ChatSentenceCode>> = {
  tooLarge: 'chat.appTooLarge',
  tooMany: 'chat.appTooMany',
  reloaded: 'chat.appReloaded',
  notLoaded: 'chat.appNotLoaded',
  notIsolated: 'chat.appNotIsolated',
};

function findCall(conversation: Conversation, partId: string): { readonly itemId: string; readonly part: ToolCallPart } | undefined {
  for (const item of conversation.items) {
    const part = item.kind === 'assistant' ? item.parts.find(({ id }) => id === partId) : undefined;
    if (part?.kind === 'toolCall') {
      return { itemId: item.id, part };
    }
  }
  return undefined;
}

/** The call as the conversation still has it, when the server's own answer is not kept any more. */
function storedCall({ arguments: args, result, state }: ToolCallPart): WantedApp['call'] {
  const structured = result.flatMap((item) => (item.kind === 'structured' ? [parsed(item.json)] : []))[0];
  const content = result.flatMap(toContent);
  const whole: JsonObject = { content, isError: state === 'failed', ...(structured !== undefined && { structuredContent: structured }) };
  return { arguments: parsed(args) ?? {}, result: state === 'cancelled' ? undefined : whole };
}

function toContent(item: ToolResultItem): JsonObject[] {
  switch (item.kind) {
    case 'text':
      return [{ type: 'text', text: item.text }];
    case 'image':
    case 'audio':
      return [{ type: item.kind, mimeType: item.mimeType, data: item.data }];
    case 'link':
      return [{ type: 'resource_link', uri: item.uri, name: item.name }];
    case 'structured':
      return [];
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
