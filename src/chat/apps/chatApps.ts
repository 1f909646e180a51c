// apps/: the pages that servers give to their tools, as the cards of one chat show them. The host reads them, asks about them and
// speaks with them; here is which of them are shown.
import { isAbort, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { without } from '../../base/without.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { AppEnding, AppLook, appToView, CallApp } from '../../contract/chat/appMessages.ts';
import type { ToolCallPart, ToolResultItem } from '../../contract/chat/chatState.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { ChatSentenceCode, ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SaidIn } from '../conversation/messageAttachments.ts';
import type { ChatSession } from '../turn/chatSession.ts';

/** What the chat needs of the host to show an app. */
export interface AppPort {
  /** The result of a call as the server sent it, while it is kept. */
  resultOf(key: string): KeptAppResult | undefined;
  /** Reads the app's page and asks the person. Never rejects but with an AbortError. */
  open(wanted: WantedApp): Promise<AppAnswer>;
}

export interface KeptAppResult {
  readonly arguments: JsonObject;
  readonly result: JsonObject;
}

export interface WantedApp {
  readonly serverId: string;
  readonly tool: string;
  readonly uri: string;
  readonly call: { readonly arguments: JsonObject; readonly result: JsonObject | undefined };
  readonly ask: Ask;
  readonly say?: ((text: string) => void) | undefined;
  /** Attaches a text to the message that the person writes next, in place of the one before. */
  readonly tellModel?: ((text: string) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

export type AppAnswer =
  | { readonly kind: 'opened'; readonly app: AllowedApp }
  | { readonly kind: 'denied'; readonly by: 'person' | 'ledger' }
  /** Why it cannot be shown, for the person, in their language. */
  | { readonly kind: 'failed'; readonly sentence: string };

export interface AllowedApp {
  readonly html: string;
  readonly policy: string;
  begin(look: AppLook, frame: ShowingFrame): ShownApp;
}

/** The frame of one showing. */
export interface ShowingFrame {
  readonly mode: 'inline' | 'fullscreen';
  send(text: string): void;
  resize(height: number): void;
  close(): void;
}

/** One showing of an app, in one frame. */
export interface ShownApp extends Disposable {
  receive(text: string): void;
  setLook(look: AppLook): void;
  /** Lets the app tidy up first. */
  end(): Promise<void>;
}

export interface ChatAppsOptions {
  readonly session: Pick<ChatSession, 'conversation' | 'questions' | 'send' | 'onDidOpen'>;
  /** Attaches what the app of a card wants the model to know. */
  readonly attach: (partId: string, text: string, saidIn: SaidIn) => Promise<void>;
  readonly port: AppPort;
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
  shown?: ShownApp;
}

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
    const live: Live = { conversation, itemId: place.itemId, gone: new AbortController() };
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
    await live.shown?.end();
    this.#sleep(partId, live, note);
  }

  /** The page has made a place for the app, perhaps for a second time: the app begins anew in it. */
  mounted(partId: string, look: AppLook): void {
    const live = this.#live.get(partId);
    if (live?.app === undefined) {
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
    if (live !== undefined) {
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
    if (this.#live.get(partId) !== live) {
      return; // it was ended before, and may have been woken again
    }
    this.#live.delete(partId);
    this.#set(partId, live, 'asleep', note);
  }

  #dropAll(): void {
    for (const { gone, shown } of this.#live.values()) {
      gone.abort();
      shown?.dispose();
    }
    this.#live.clear();
  }

  #set(partId: string, { conversation, itemId }: Live, state: CallApp['state'], note?: string): void {
    conversation.updateToolCall(
      itemId,
      partId,
      (part) =>
        part.app === undefined ? part : { ...part, app: { ...without(part.app, 'note'), state, ...(note !== undefined && { note }) } },
      'now',
    );
  }
}

const endings: Readonly<Record<AppEnding, ChatSentenceCode>> = {
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
