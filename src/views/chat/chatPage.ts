import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { ChatApps } from '../../chat/apps/chatApps.ts';
import type { ChatPlace } from '../../chat/places/chatPlaces.ts';
import type { ChatSession } from '../../chat/turn/chatSession.ts';
import type { ChatViewMessage } from '../../chat/turn/sessionOptions.ts';
import type { appToHost } from '../../contract/chat/appMessages.ts';
import type { conversationsToHost } from '../../contract/chat/conversations.ts';
import { chatToHost, type chatToView } from '../../contract/chat/chatMessages.ts';
import { views } from '../../contract/identity.ts';
import type { LastTextEditor } from '../../editor/documents/lastTextEditor.ts';
import { changeByBlock, insertIntoLastEditor, openWorkspaceFile, showEdit } from './workspaceFiles.ts';
import { chatContextHandlers } from './chatAttachments.ts';
import { commandId } from '../commandTable.ts';
import { contextFlag } from '../native/contextFlags.ts';
import { ConversationsPage, type ConversationActs } from './conversationsPage.ts';
import type { ErrorReporter } from '../errorReporter.ts';
import { openExternalLink } from '../native/externalLink.ts';
import { orGiveBack } from './orGiveBack.ts';
import type { ReadOnlyDocuments } from '../native/readOnlyDocuments.ts';
import type { ShowDefinition } from '../servers/files/openDefinition.ts';
import type { UndrawnConversations } from './undrawnConversations.ts';
import type { ProposalReviews } from '../proposals/proposalReviews.ts';
import { WebviewLink, type Handlers } from '../pages/webviewLink.ts';

type ChatLink = WebviewLink<typeof chatToHost, typeof chatToView>;

export interface ChatPageServices {
  readonly reporter: ErrorReporter;
  readonly lastTextEditor: LastTextEditor;
  readonly showDefinition: ShowDefinition;
  readonly documents: ReadOnlyDocuments;
  /** What waits for the person's review, which the cards of calls show as well. */
  readonly reviews: () => Promise<Pick<ProposalReviews, 'acceptInChat' | 'rejectInChat' | 'show'>>;
  readonly undrawn: UndrawnConversations;
  readonly log: Log;
}

export interface ChatPageOptions extends ChatPageServices {
  readonly webview: vscode.Webview;
  readonly place: ChatPlace;
  /** Resolves when the conversation that this window showed last has been read. */
  readonly restored: Promise<void>;
  readonly acts: ConversationActs & { readonly newConversation: () => Promise<void> };
  readonly onReady?: () => void;
  /** Where the text that is being written is kept, for the chat that every window has. */
  readonly draft?: DraftMemory | undefined;
}

/** Keeps a text that is being written, so that it outlives the window. */
export interface DraftMemory {
  get(): string;
  set(text: string): void;
}

/**
 * Connects one page of the chat, in the sidebar or in a tab, with the chat (its place) that the page shows: messages of the chat
 * go to the page, and what the person does there goes to the chat.
 */
export class ChatPage implements Disposable {
  readonly #options: ChatPageOptions;
  readonly #lifetime = new DisposableStore();
  readonly #tellAsked = contextFlag('duplex.hasAsked');
  readonly #link: ChatLink;
  readonly #conversations: ConversationsPage;
  #place: ChatPlace;
  #shown = new DisposableStore();
  /** Whether the page has got the whole state; before that, single changes would mean nothing to it. */
  #isReady = false;
  /** The conversation that the page draws and has not yet said to have drawn. */
  #drawing: string | undefined;

  constructor(options: ChatPageOptions) {
    this.#options = options;
    this.#place = options.place;
    const { reporter, acts, webview, log } = options;
    this.#conversations = this.#lifetime.add(
      new ConversationsPage({
        keeper: () => this.#place.keeper,
        post: (list) => this.#link.post('conversations/list', list),
        report: (error) => reporter.report(error),
        acts,
      }),
    );
    const handlers = { ...this.#handlers(), ...this.#conversations.handlers() };
    this.#link = this.#lifetime.add(new WebviewLink(webview, chatToHost, handlers, log, (error) => reporter.report(error)));
    this.#follow();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Shows another chat in this page. */
  show(place: ChatPlace): void {
    this.#place = place;
    this.#follow();
    if (this.#isReady) {
      this.#postState();
    }
  }

  focus(draft?: string): void {
    this.#link.post('chat/focus', {});
    if (draft !== undefined) {
      this.#link.post('chat/draft', { text: draft });
    }
  }

  dispose(): void {
    this.#shown.dispose();
    this.#lifetime.dispose();
  }

  get #session(): ChatSession {
    return this.#place.session;
  }

  #follow(): void {
    this.#shown.dispose();
    this.#shown = new DisposableStore();
    this.#shown.add(this.#session.onMessage((message) => this.#isReady && this.#pass(message)));
    this.#shown.add(this.#place.apps.onMessage(({ name, body }) => this.#isReady && this.#link.post(name, body)));
    this.#shown.add(this.#conversations.follow());
  }

  /** Sends the whole state to a page that has just been loaded. */
  async #start(): Promise<void> {
    await this.#options.restored;
    this.#isReady = true;
    this.#drawing = undefined;
    this.#postState();
    const kept = this.#options.draft?.get() ?? '';
    if (kept !== '') {
      this.#link.post('chat/kept', { text: kept });
    }
    this.#options.onReady?.();
  }

  #pass({ name, body }: ChatViewMessage): void {
    if (name === 'chat/state') {
      this.#postState(body);
    } else {
      this.#link.post(name, body);
    }
  }

  #postState(state = this.#session.state()): void {
    const { conversationId: id, items } = state;
    const isPlain = items.length > 0 && id !== this.#drawing && this.#options.undrawn.begin(id);
    this.#drawing = items.length === 0 || isPlain ? undefined : id;
    this.#link.post('chat/state', isPlain ? { ...state, isPlain } : state);
  }

  #forgetUndrawn(id: string): void {
    this.#drawing = undefined;
    this.#options.undrawn.forget(id);
  }

  /** Says what the person wrote. The page has cleared its input by now, so words that were not taken go back there. */
  #say(text: string, say: (onTaken: () => void) => Promise<void>): Promise<void> {
    return orGiveBack(say, () => this.#link.post('chat/draft', { text }));
  }

  #postTools(): void {
    this.#link.post('tools/all', this.#session.room.pickable());
  }

  async #openResult(id: string): Promise<void> {
    const text = await this.#session.room.wholeResult(id);
    await this.#options.documents.show(vscode.l10n.t('Whole result {0}', id.slice(0, 8)), 'txt', text);
  }

  /** Shows the log of the server of a tool call. */
  async #showLog(partId: string): Promise<void> {
    const parts = this.#session.conversation.items.flatMap((item) => (item.kind === 'assistant' ? item.parts : []));
    const part = parts.find((each) => each.kind === 'toolCall' && each.id === partId);
    const id = part?.kind === 'toolCall' ? part.serverId : undefined;
    await vscode.commands.executeCommand(commandId('showServerLog'), id === undefined ? undefined : { server: { id } });
  }

  async #apply(itemId: string, block: Parameters<typeof changeByBlock>[1]): Promise<void> {
    const session = this.#session;
    const { args, told } = await changeByBlock(this.#options.lastTextEditor, block);
    await session.runOwn(itemId, 'propose_edit', args, told);
  }

  #handlers(): Omit<Handlers<typeof chatToHost>, keyof typeof conversationsToHost> {
    const { lastTextEditor, showDefinition, documents, reviews, reporter, acts } = this.#options;
    const run = (work: Promise<unknown>): void => void work.catch((error: unknown) => reporter.report(error));
    const command = (name: Parameters<typeof commandId>[0]) => () => run(toPromise(vscode.commands.executeCommand(commandId(name))));
    return {
      ...this.#turnHandlers(run),
      ...appHandlers(() => this.#place.apps, run),
      ready: () => run(this.#start()),
      'chat/drafted': ({ text }) => this.#options.draft?.set(text),
      'chat/drawn': ({ conversationId }) => this.#forgetUndrawn(conversationId),
      'chat/showWhole': () => {
        this.#forgetUndrawn(this.#session.conversation.id);
        this.#postState();
      },
      'chat/new': () => run(acts.newConversation()),
      'chat/setApiKey': command('setApiKey'),
      'models/choose': command('chooseModel'),
      'models/useVscode': command('useVsCodeModels'),
      'models/useEndpoint': command('useEndpoint'),
      'chat/addServer': command('addServer'),
      'chat/showTools': () => run(toPromise(vscode.commands.executeCommand(`${views.servers}.focus`))),
      ...chatContextHandlers(
        () => this.#place,
        (name, body) => this.#link.post(name, body),
        run,
      ),
      'consent/show': ({ askId }) => showDefinition(this.#session.questions.list(), askId),
      'result/open': ({ id }) => run(this.#openResult(id)),
      'instructions/open': () =>
        run(toPromise(vscode.commands.executeCommand('workbench.action.openSettings', '@id:duplex.chat.instructions'))),
      'tools/list': () => this.#postTools(),
      'tools/choose': (change) => run(this.#session.room.chooseTool(change).then(() => this.#postTools())),
      'link/open': ({ href }) => run(openExternalLink(href)),
      'file/open': (reference) => run(openWorkspaceFile(reference)),
      'code/copy': ({ text }) => run(toPromise(vscode.env.clipboard.writeText(text))),
      'code/insert': ({ text }) => run(insertIntoLastEditor(lastTextEditor, text)),
      'review/accept': ({ id, isRead }) => run(reviews().then((open) => open.acceptInChat(id, isRead))),
      'review/reject': ({ id }) => run(reviews().then((open) => open.rejectInChat(id))),
      'review/open': ({ id }) => run(reviews().then((open) => open.show(id))),
      'edits/show': ({ itemId, path }) => run(this.#session.findEdit(itemId, path).then((edit) => showEdit(documents, edit))),
    };
  }

  #turnHandlers(run: (work: Promise<unknown>) => void): TurnHandlers {
    const session = (): ChatSession => this.#session;
    return {
      'chat/send': ({ text }) => {
        this.#tellAsked(true);
        run(this.#say(text, (onTaken) => session().send(text, undefined, onTaken)));
      },
      'chat/stop': () => run(session().stop()),
      'call/showLog': ({ partId }) => run(this.#showLog(partId)),
      'call/stop': ({ partId }) => session().calls.stop(partId),
      'chat/retry': ({ itemId }) => run(session().retry(itemId)),
      'chat/edit': ({ itemId, text }) => run(this.#say(text, (onTaken) => session().edit(itemId, text, onTaken))),
      'chat/showVersion': ({ itemId, index }) => run(promised(() => session().showVersion(itemId, index))),
      'chat/feedback': ({ itemId, feedback }) => run(promised(() => session().rate(itemId, feedback))),
      'chat/unqueue': ({ ids }) => session().unqueue(ids),
      'code/apply': ({ itemId, ...block }) => run(this.#apply(itemId, block)),
      'edits/undo': ({ itemId }) => run(session().undoEdits(itemId)),
      'code/run': ({ itemId, text }) => run(session().runOwn(itemId, 'run_terminal_command', { command: text.trim() })),
      'models/retryNow': () => session().retryNow(),
      'consent/answerTogether': (given) => void session().questions.allowTogether(given),
      'consent/answer': (answer) => void (session().questions.isTooEarly(answer) || session().answer(answer)),
      'chat/compact': () => run(session().room.compact()),
      'compaction/undo': ({ id }) => run(session().room.undoCompaction(id)),
    };
  }
}

function appHandlers(
  apps: () => ChatApps,
  run: (work: Promise<unknown>) => void,
): Pick<Handlers<typeof chatToHost>, keyof typeof appToHost> {
  return {
    'app/wake': ({ partId }) => run(apps().wake(partId)),
    'app/close': ({ partId }) => run(apps().close(partId)),
    'app/enlarge': ({ partId }) => run(apps().enlarge(partId)),
    'app/back': ({ partId }) => run(apps().shrink(partId)),
    'app/mounted': ({ partId, look }) => apps().mounted(partId, look),
    'app/look': ({ partId, look }) => apps().look(partId, look),
    'app/view': ({ partId, ...view }) => apps().view(partId, view),
    'app/said': ({ partId, text }) => apps().said(partId, text),
    'app/broke': ({ partId, reason }) => apps().broke(partId, reason),
  };
}

type TurnHandlers = Pick<
  Handlers<typeof chatToHost>,
  | 'chat/send'
  | 'chat/stop'
  | 'call/showLog'
  | 'call/stop'
  | 'chat/retry'
  | 'chat/edit'
  | 'chat/showVersion'
  | 'chat/feedback'
  | 'chat/unqueue'
  | 'code/apply'
  | 'edits/undo'
  | 'code/run'
  | 'models/retryNow'
  | 'consent/answer'
  | 'consent/answerTogether'
  | 'chat/compact'
  | 'compaction/undo'
>;

async function toPromise(work: Thenable<unknown>): Promise<void> {
  await work;
}

// Makes a failure of `act` a rejection, so that it is reported like any other.
async function promised(act: () => void): Promise<void> {
  await Promise.resolve();
  act();
}
