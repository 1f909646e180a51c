// apps/: the pages that servers give to their tools, as the cards of one chat show them. The host reads them, asks about them and
// speaks with them; here is which of them are shown.
import type { Clock } from '../../base/clock.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { type JsonObject, parsedObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { without } from '../../base/without.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { AppEnding, AppLook, appToView, CallApp } from '../../contract/chat/appMessages.ts';
import type { DisplayMode, WantedApp } from '../../contract/chat/appShowing.ts';
import type { ToolCallPart, ToolResultItem } from '../../contract/chat/chatState.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { ChatSentenceCode, ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SaidIn } from '../conversation/messageAttachments.ts';
import type { ChatSession } from '../turn/chatSession.ts';
import type { AllowedApp, AppPort, AppTabs } from './appPort.ts';
import { canRest, dropLive, leastSeen, type LiveApp, newLiveApp } from './liveApp.ts';
import { TabShowing } from './tabShowing.ts';

export interface ChatAppsOptions {
  readonly session: Pick<ChatSession, 'conversation' | 'questions' | 'send' | 'onDidOpen'>;
  /** Attaches what the app of a card wants the model to know. */
  readonly attach: (partId: string, text: string, saidIn: SaidIn) => Promise<void>;
  readonly port: AppPort;
  readonly tabs: AppTabs;
  readonly sentences: ChatSentences;
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
}

/** The most apps that one chat shows at a time. */
export const maxLiveApps = 4;

/** An app that was out of view for so long goes to sleep. */
export const awayMs = 30_000;
/** How many apps that went to sleep by themselves are remembered as allowed once. */
const maxResting = 50;

/** How often an app may change from the chat to a tab or back before only the person can. */
const maxChanges = 10;

export type AppViewMessage = MessageOf<typeof appToView>;

/** The apps that one chat shows. An app that is not shown is asleep: it has no frame and runs no code. */
export class ChatApps implements Disposable {
  readonly #options: ChatAppsOptions;
  readonly #lifetime = new DisposableStore();
  readonly #messages = this.#lifetime.add(new Emitter<AppViewMessage>());
  /** The apps that are awake, by the card of their call, in the order in which they were woken. */
  readonly #live = new Map<string, LiveApp>();
  /** The fingerprints of what the person had allowed once of apps that then went to sleep by themselves. */
  readonly #resting = new Map<string, string>();

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
    const live = newLiveApp({ conversation, itemId: place.itemId }, this.#options.clock.now());
    const leaving = this.#makeRoom();
    this.#live.set(partId, live);
    if (leaving === undefined) {
      this.#sleep(partId, live, this.#options.sentences('chat.appNoRoom', { max: maxLiveApps }));
      return;
    }
    this.#set(partId, live, 'opening');
    try {
      await leaving;
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
    live.isLeaving = true;
    // The frame goes with the state, so the app is told first.
    await (live.tab ?? live.shown)?.end();
    this.#sleep(partId, live, note);
  }

  /** Shows the app of a card in a tab of the editor, where it begins anew. Only an app that declares it can be shown so. */
  async enlarge(partId: string, isPressed = true): Promise<void> {
    const live = this.#live.get(partId);
    if (live?.app === undefined || live.tab !== undefined || live.isLeaving) {
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
    if (live?.app === undefined || live.tab !== undefined || live.isLeaving) {
      return;
    }
    live.shown?.dispose();
    const { html, policy } = live.app;
    this.#messages.fire({ name: 'app/frame', body: { partId, html, policy } });
    live.shown = live.app.begin(look, {
      mode: 'inline',
      send: (text) => this.#messages.fire({ name: 'app/say', body: { partId, text } }),
      resize: (height) => {
        live.height = height;
        this.#messages.fire({ name: 'app/size', body: { partId, height } });
      },
      close: () => void this.close(partId),
      declared: (modes) => this.#set(partId, live, 'live', modes.includes('fullscreen')),
      change: this.#changeOf(live, () => this.enlarge(partId, false)),
    });
  }

  /** The page tells whether the person can see the app. One that stays out of view goes to sleep. */
  view(partId: string, { isSeen, hasFocus }: { readonly isSeen: boolean; readonly hasFocus: boolean }): void {
    const live = this.#live.get(partId);
    if (live === undefined) {
      return;
    }
    live.away?.dispose();
    live.seenAt = this.#options.clock.now();
    [live.isSeen, live.hasFocus] = [isSeen, hasFocus];
    if (!isSeen) {
      this.#restLater(partId, live);
    }
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

  async #open(partId: string, live: LiveApp, part: ToolCallPart, { uri, key }: CallApp): Promise<void> {
    const { port, sentences, session, report, attach } = this.#options;
    const call = (key === undefined ? undefined : port.resultOf(key)) ?? storedCall(part);
    const { server, tool, serverId = '' } = part;
    const allowed = this.#resting.get(partId);
    this.#resting.delete(partId);
    const answer = await port.open({
      serverId,
      tool,
      uri,
      call,
      place: { conversation: live.conversation.id, card: partId },
      ask: (question, signal) => this.#ask(live, question, signal),
      say: (text) => void session.send(text, []).catch(report),
      tellModel: (text) => attach(partId, text, { serverId, server, tool, arguments: call.arguments }),
      allowed,
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

  async #openTab(partId: string, live: LiveApp, app: AllowedApp, mode: DisplayMode, isPressed: boolean): Promise<void> {
    const { part } = findCall(live.conversation, partId) ?? {};
    // While the app tidied up it may have been ended, or somebody else may have asked for the same.
    if (this.#live.get(partId) !== live || live.tab !== undefined || live.isLeaving || part === undefined) {
      return;
    }
    live.shown = undefined;
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
  #leaveTab(partId: string, live: LiveApp): void {
    live.tab?.dispose();
    live.tab = undefined;
    if (this.#live.get(partId) === live) {
      this.#set(partId, live, 'live');
    }
  }

  /** How an app changes its mode by itself, as long as it does not do so too often. */
  #changeOf(live: LiveApp, change: () => Promise<void>): (() => void) | undefined {
    if (live.changes >= maxChanges) {
      return undefined;
    }
    return () => {
      if (live.changes >= maxChanges) {
        return;
      }
      live.changes += 1;
      void change().catch(this.#options.report);
    };
  }

  /** A question of an app is shown below, in the answer that its card belongs to. */
  async #ask(live: LiveApp, ...[question, signal]: Parameters<Ask>): ReturnType<Ask> {
    const { conversation, itemId, gone } = live;
    live.asking += 1;
    try {
      return await this.#options.session.questions.ask(question, AbortSignal.any([signal, gone.signal]), {
        show: (open) => conversation.addPart(itemId, { kind: 'question', id: open.askId, question: open }),
        hide: () => conversation.removePart(itemId, question.askId),
      });
    } finally {
      live.asking -= 1;
    }
  }

  /** Puts the app that was seen least recently to sleep where there would be too many. Undefined when all of them are in use. */
  #makeRoom(): Promise<void> | undefined {
    const staying = [...this.#live].filter(([, { isLeaving }]) => !isLeaving);
    if (staying.length < maxLiveApps) {
      return Promise.resolve();
    }
    const found = leastSeen(staying);
    return found && this.#rest(...found, this.#options.sentences('chat.appMakesRoom', { max: maxLiveApps }));
  }

  #restLater(partId: string, live: LiveApp): void {
    live.away = this.#options.clock.schedule(awayMs, () => {
      if (canRest(live)) {
        void this.#rest(partId, live, this.#options.sentences('chat.appAway')).catch(this.#options.report);
      } else {
        this.#restLater(partId, live);
      }
    });
  }

  /** Puts an app to sleep that the person did not close: its place keeps its height, and waking it asks nothing that was asked before. */
  async #rest(partId: string, live: LiveApp, note: string): Promise<void> {
    live.isLeaving = true;
    await live.shown?.end();
    // An app that is allowed for longer wakes by the remembered answer, which the person may have taken back by then.
    if (this.#live.get(partId) === live && live.app?.isOnce === true) {
      this.#resting.set(partId, live.app.fingerprint);
      const [oldest] = this.#resting.keys();
      if (this.#resting.size > maxResting && oldest !== undefined) {
        this.#resting.delete(oldest);
      }
    }
    this.#sleep(partId, live, note, live.height);
  }

  #sleep(partId: string, live: LiveApp, note: string | undefined, height?: number): void {
    dropLive(live);
    if (this.#live.get(partId) !== live) {
      return; // it was ended before, and may have been woken again
    }
    this.#live.delete(partId);
    this.#change(partId, live, (app) => ({
      ...without(app, 'note', 'height'),
      state: 'asleep',
      ...(note !== undefined && { note }),
      ...(height !== undefined && { height }),
    }));
  }

  #dropAll(): void {
    [...this.#live.values()].forEach(dropLive);
    this.#live.clear();
    this.#resting.clear();
  }

  #set(partId: string, live: LiveApp, state: CallApp['state'], isLarge?: boolean): void {
    this.#change(partId, live, (app) => ({ ...without(app, 'note'), state, ...(isLarge !== undefined && { canBeLarge: isLarge }) }));
  }

  #change(partId: string, { conversation, itemId }: LiveApp, change: (app: CallApp) => CallApp): void {
    conversation.updateToolCall(itemId, partId, (part) => (part.app === undefined ? part : { ...part, app: change(part.app) }), 'now');
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
  const structured = result.flatMap((item) => (item.kind === 'structured' ? [parsedObject(item.json)] : []))[0];
  const content = result.flatMap(toContent);
  const whole: JsonObject = { content, isError: state === 'failed', ...(structured !== undefined && { structuredContent: structured }) };
  return { arguments: parsedObject(args) ?? {}, result: state === 'cancelled' ? undefined : whole };
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
