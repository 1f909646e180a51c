import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { isAppError } from '../base/errors.ts';
import type { ChatSession, ChatViewMessage } from '../chat/chatSession.ts';
import type { ChatContext } from '../chat/context/chatContext.ts';
import type { ConversationKeeper } from '../chat/store/conversationKeeper.ts';
import type { conversationsToHost } from '../contract/chat/conversations.ts';
import { chatToHost, type chatToView } from '../contract/chatMessages.ts';
import { views } from '../contract/identity.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { changeByBlock } from './applyBlock.ts';
import { chatContextHandlers } from './chatContextHandlers.ts';
import { ChatTab } from './chatTab.ts';
import { commandId } from './commandTable.ts';
import { ConversationsPage } from './conversationsPage.ts';
import type { ErrorReporter } from './errorReporter.ts';
import { insertIntoLastEditor } from './insertIntoEditor.ts';
import { openExternalLink } from './externalLink.ts';
import { openWorkspaceFile } from './openWorkspaceFile.ts';
import { showEdit } from './showEdit.ts';
import type { ReadOnlyDocuments } from './readOnlyDocuments.ts';
import type { ShowDefinition } from './showDefinition.ts';
import { WebviewLink, type Handlers } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

type ChatLink = WebviewLink<typeof chatToHost, typeof chatToView>;

export interface ChatViewOptions {
  readonly chat: {
    readonly session: ChatSession;
    readonly context: ChatContext;
    readonly keeper: ConversationKeeper;
    /** When the conversation is there that was shown before. */
    readonly restored: Promise<void>;
  };
  readonly extensionUri: vscode.Uri;
  readonly reporter: ErrorReporter;
  readonly lastTextEditor: LastTextEditor;
  readonly showDefinition: ShowDefinition;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
}

/**
 * The chat in the sidebar, and the same in an editor tab when the person wants it wide: forwards the session's messages to the
 * pages, and their intents to the session.
 */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #options: ChatViewOptions;
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #tab: ChatTab;
  #page: DisposableStore | undefined;
  /** Of the sidebar. */
  #link: ChatLink | undefined;
  /** Of every page that has the whole state. */
  readonly #ready = new Set<ChatLink>();
  #view: vscode.WebviewView | undefined;
  #focusWhenReady = false;
  #draft: string | undefined;

  readonly onDidChangeVisibility = this.#visibility.event;

  constructor(options: ChatViewOptions) {
    this.#options = options;
    this.#lifetime.add(options.chat.session.onMessage((message) => this.#forward(message)));
    this.#tab = this.#lifetime.add(
      new ChatTab(options.extensionUri, options.chat.session, (webview, page) => void this.#connect(webview, page)),
    );
    this.#lifetime.add(this.#tab.onDidChangeVisibility(() => this.#visibility.fire()));
    // The page is kept while hidden: an answer goes on streaming, and a draft or a half-edited argument is not lost.
    this.#lifetime.add(vscode.window.registerWebviewViewProvider(views.chat, this, { webviewOptions: { retainContextWhenHidden: true } }));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri } = this.#options;
    this.#page?.dispose();
    const page = new DisposableStore();
    this.#page = page;
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    this.#link = this.#connect(view.webview, page);
    page.add(view.onDidDispose(() => this.#close(page)));
    page.add(view.onDidChangeVisibility(() => this.#visibility.fire()));
    this.#visibility.fire();
    view.webview.html = renderPage(view.webview, extensionUri, 'chat');
  }

  async focus(): Promise<void> {
    this.#focusWhenReady = true;
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#view?.show(false);
    this.#giveFocus();
  }

  /** Shows the chat with this put to what is being written, ready to be sent by the person. */
  async draft(text: string): Promise<void> {
    this.#draft = text;
    await this.focus();
  }

  /** The same conversation, wide. */
  openInEditor(): void {
    this.#tab.show();
  }

  isVisible(): boolean {
    return this.#view?.visible === true || this.#tab.isVisible;
  }

  dispose(): void {
    this.#page?.dispose();
    this.#lifetime.dispose();
  }

  #connect(webview: vscode.Webview, page: DisposableStore): ChatLink {
    const { chat, reporter, log } = this.#options;
    const conversations = page.add(
      new ConversationsPage({
        keeper: chat.keeper,
        post: (list) => link.post('conversations/list', list),
        report: (error) => reporter.report(error),
        openInEditor: () => this.openInEditor(),
      }),
    );
    const handlers = { ...this.#handlers(() => link), ...conversations.handlers() };
    const link: ChatLink = page.add(new WebviewLink(webview, chatToHost, handlers, log));
    page.add(toDisposable(() => this.#ready.delete(link)));
    return link;
  }

  #close(page: DisposableStore): void {
    page.dispose();
    if (this.#page === page) {
      this.#page = undefined;
      this.#link = undefined;
      this.#view = undefined;
      this.#visibility.fire();
    }
  }

  #forward(message: ChatViewMessage): void {
    this.#ready.forEach((link) => link.post(message.name, message.body));
  }

  #giveFocus(): void {
    if (this.#link !== undefined && this.#ready.has(this.#link) && this.#focusWhenReady) {
      this.#focusWhenReady = false;
      this.#link.post('chat/focus', {});
      if (this.#draft !== undefined) {
        this.#link.post('chat/draft', { text: this.#draft });
        this.#draft = undefined;
      }
    }
  }

  /** The page's whole state, once it is known; what waits to be streamed goes to the other pages first. */
  async #start(link: ChatLink): Promise<void> {
    await this.#options.chat.restored;
    const state = this.#options.chat.session.state();
    this.#ready.add(link);
    link.post('chat/state', state);
    this.#giveFocus();
  }

  /** What could not be said because of another window is not lost. */
  async #send(text: string, link: ChatLink): Promise<void> {
    try {
      await this.#options.chat.session.send(text);
    } catch (error) {
      if (isAppError(error) && unsaidCodes.has(error.code)) {
        link.post('chat/draft', { text });
      }
      throw error;
    }
  }

  #postTools(): void {
    const tools = this.#options.chat.session.room.pickableTools();
    this.#ready.forEach((link) => link.post('tools/all', { tools }));
  }

  async #openResult(id: string): Promise<void> {
    const { chat, documents } = this.#options;
    await documents.show(vscode.l10n.t('Whole result {0}', id.slice(0, 8)), 'txt', await chat.session.room.wholeResult(id));
  }

  #handlers(link: () => ChatLink): Omit<Handlers<typeof chatToHost>, keyof typeof conversationsToHost> {
    const { lastTextEditor, showDefinition } = this.#options;
    const { session, context } = this.#options.chat;
    const run = (work: Promise<unknown>): void => void work.catch((error: unknown) => this.#options.reporter.report(error));
    const command = (name: Parameters<typeof commandId>[0]) => () => run(toPromise(vscode.commands.executeCommand(commandId(name))));
    return {
      ready: () => run(this.#start(link())),
      'chat/send': ({ text }) => run(this.#send(text, link())),
      'chat/stop': () => run(session.stop()),
      'chat/new': () => run(session.newConversation()),
      'chat/retry': ({ itemId }) => run(session.retry(itemId)),
      'chat/edit': ({ itemId, text }) => run(session.edit(itemId, text)),
      'chat/showVersion': ({ itemId, index }) => run(promised(() => session.showVersion(itemId, index))),
      'chat/feedback': ({ itemId, feedback }) => run(promised(() => session.rate(itemId, feedback))),
      'chat/unqueue': ({ ids }) => session.unqueue(ids),
      'code/apply': ({ itemId, ...block }) =>
        run(changeByBlock(lastTextEditor, block).then(({ args, told }) => session.runOwn(itemId, 'propose_edit', args, told))),
      'edits/undo': ({ itemId }) => run(session.undoEdits(itemId)),
      'edits/show': ({ itemId, path }) => run(session.findEdit(itemId, path).then((edit) => showEdit(this.#options.documents, edit))),
      'code/run': ({ itemId, text }) => run(session.runOwn(itemId, 'run_terminal_command', { command: text.trim() })),
      'chat/setApiKey': command('setApiKey'),
      'models/choose': command('chooseModel'),
      'models/retryNow': () => session.retryNow(),
      'models/useVscode': command('useVsCodeModels'),
      'models/useEndpoint': command('useEndpoint'),
      'chat/addServer': command('addServer'),
      'chat/showTools': () => run(toPromise(vscode.commands.executeCommand(`${views.servers}.focus`))),
      ...chatContextHandlers(context, (name, body) => link().post(name, body), run),
      'consent/answer': (answer) => {
        session.answer(answer);
      },
      'consent/show': ({ askId }) => showDefinition(session.questions.list(), askId),
      'result/open': ({ id }) => run(this.#openResult(id)),
      'chat/compact': () => run(session.room.compact()),
      'compaction/undo': ({ id }) => run(session.room.undoCompaction(id)),
      'instructions/open': () =>
        run(toPromise(vscode.commands.executeCommand('workbench.action.openSettings', '@id:duplex.chat.instructions'))),
      'tools/list': () => this.#postTools(),
      'tools/choose': (change) => run(session.room.chooseTool(change).then(() => this.#postTools())),
      'link/open': ({ href }) => run(openExternalLink(href)),
      'file/open': (reference) => run(openWorkspaceFile(reference)),
      'code/copy': ({ text }) => run(toPromise(vscode.env.clipboard.writeText(text))),
      'code/insert': ({ text }) => run(insertIntoLastEditor(lastTextEditor, text)),
    };
  }
}

/** Nothing was said: the words go back to where they were written. */
const unsaidCodes = new Set(['chat.answeredElsewhere', 'chat.changedElsewhere', 'chat.busy']);

async function toPromise(work: Thenable<unknown>): Promise<void> {
  await work;
}

// What it throws is told like any other failure.
async function promised(act: () => void): Promise<void> {
  await Promise.resolve();
  act();
}
