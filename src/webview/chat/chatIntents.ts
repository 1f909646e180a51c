import { createContext } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { AnswerFeedback } from '../../contract/chat/messageActions.ts';
import type { SuggestionTrigger } from '../../contract/chat/attachments.ts';
import type { ToolChange } from '../../contract/chat/contextBudget.ts';
import type { chatToHost, chatToView } from '../../contract/chat/chatMessages.ts';
import type { AnswerTogether, PersonAnswer } from '../../contract/questions/questions.ts';
import type { HostLink } from '../shared/hostLink.ts';
import type { PageActions } from '../shared/pageActions.tsx';
import type { ChatStore, EditedWords } from './chatStore.ts';

/** Everything a person can ask of the host from this page. */
export interface ChatIntents extends PageActions, BudgetActions {
  send(text: string): void;
  /** Tells what is being written, so that it is not lost with the window. */
  keepDraft(text: string): void;
  stop(): void;
  startNew(): void;
  showWhole(): void;
  readonly conversations: ConversationIntents;
  /** Answers anew; without an id, the last answer. */
  retry(itemId?: string): void;
  edit(itemId: string, text: string): void;
  showVersion(itemId: string, index: number): void;
  rate(itemId: string, feedback: AnswerFeedback | undefined): void;
  unqueue(ids: readonly string[]): void;
  undoEdits(itemId: string): void;
  showEdit(itemId: string, path: string): void;
  setApiKey(): void;
  chooseModel(): void;
  retryNow(): void;
  useVscodeModels(): void;
  useEndpoint(): void;
  addServer(): void;
  showTools(): void;
  readonly context: ContextIntents;
  answer(answer: PersonAnswer): void;
  /** Allows several calls of one turn once: exactly those that the person saw. */
  answerTogether(answer: AnswerTogether): void;
  readonly showDefinition: (askId: string) => void;
}

/** Gives an answer, for one question or for several calls at once; `card` is the one that was answered. */
export type GiveAnswer = (answer: PersonAnswer | AnswerTogether, card: HTMLElement) => void;

export function createChatIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ChatIntents {
  return {
    send: (text) => link.send('chat/send', { text }),
    keepDraft: (text) => link.send('chat/drafted', { text }),
    stop: () => link.send('chat/stop', {}),
    startNew: () => link.send('chat/new', {}),
    showWhole: () => link.send('chat/showWhole', {}),
    conversations: conversationIntents(link),
    retry: (itemId) => link.send('chat/retry', itemId === undefined ? {} : { itemId }),
    edit: (itemId, text) => link.send('chat/edit', { itemId, text }),
    showVersion: (itemId, index) => link.send('chat/showVersion', { itemId, index }),
    rate: (itemId, feedback) => link.send('chat/feedback', { itemId, ...(feedback !== undefined && { feedback }) }),
    undoEdits: (itemId) => link.send('edits/undo', { itemId }),
    showEdit: (itemId, path) => link.send('edits/show', { itemId, path }),
    unqueue: (ids) => link.send('chat/unqueue', { ids: [...ids] }),
    setApiKey: () => link.send('chat/setApiKey', {}),
    chooseModel: () => link.send('models/choose', {}),
    retryNow: () => link.send('models/retryNow', {}),
    useVscodeModels: () => link.send('models/useVscode', {}),
    useEndpoint: () => link.send('models/useEndpoint', {}),
    addServer: () => link.send('chat/addServer', {}),
    showTools: () => link.send('chat/showTools', {}),
    context: createContextIntents(link),
    answer: (answer) => link.send('consent/answer', answer),
    answerTogether: (answer) => link.send('consent/answerTogether', answer),
    showDefinition: (askId) => link.send('consent/show', { askId }),
    stopCall: (partId) => link.send('call/stop', { partId }),
    showCallLog: (partId) => link.send('call/showLog', { partId }),
    acceptReview: (id, isRead) => link.send('review/accept', { id, isRead }),
    rejectReview: (id) => link.send('review/reject', { id }),
    openReview: (id) => link.send('review/open', { id }),
    openResult: (id) => link.send('result/open', { id }),
    compact: () => link.send('chat/compact', {}),
    undoCompaction: (id) => link.send('compaction/undo', { id }),
    openInstructions: () => link.send('instructions/open', {}),
    listTools: () => link.send('tools/list', {}),
    chooseTool: (change) => link.send('tools/choose', change),
    openLink: (href) => link.send('link/open', { href }),
    openFile: (reference) => link.send('file/open', reference),
    copyCode: (text) => link.send('code/copy', { text }),
    insertCode: (text) => link.send('code/insert', { text }),
    applyCode: (itemId, text, path) => link.send('code/apply', { itemId, text, ...(path !== undefined && { path }) }),
    runCode: (itemId, text) => link.send('code/run', { itemId, text }),
  };
}

type Values = Readonly<Record<string, string>>;

/** What a person can do about attachments and prompts of the message they write. */
export interface ContextIntents {
  suggest(requestId: number, trigger: SuggestionTrigger, query: string): void;
  leave(): void;
  choose(id: string): void;
  remove(id: string): void;
  image(image: { readonly name: string; readonly mimeType: string; readonly data: string }): void;
  picture(itemId: string, id: string): void;
  drop(uris: readonly string[]): void;
  complete(requestId: number, formId: string, argument: string, values: Values): void;
  fill(formId: string, values: Values): void;
  closeForm(): void;
}

function createContextIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ContextIntents {
  return {
    suggest: (requestId, trigger, query) => link.send('context/suggest', { requestId, trigger, query }),
    leave: () => link.send('context/leave', {}),
    choose: (id) => link.send('context/choose', { id }),
    remove: (id) => link.send('context/remove', { id }),
    image: (image) => link.send('context/image', image),
    picture: (itemId, id) => link.send('context/picture', { itemId, id }),
    drop: (uris) => link.send('context/drop', { uris: [...uris] }),
    complete: (requestId, formId, argument, values) => link.send('context/complete', { requestId, formId, argument, values }),
    fill: (formId, values) => link.send('context/fill', { formId, values }),
    closeForm: () => link.send('context/closeForm', {}),
  };
}

/** What a person can do with stored conversations. */
export interface ConversationIntents {
  /** Asks for the list, which the host sends now and whenever it changes. */
  show(search: string): void;
  hide(): void;
  open(id: string): void;
  rename(id: string): void;
  export(id: string): void;
  delete(id: string): void;
  undoDelete(id: string): void;
  /** Opens a conversation in an editor tab; without an id, the one that is shown. */
  openInEditor(id?: string): void;
  openCopy(): void;
}

function conversationIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ConversationIntents {
  return {
    show: (search) => link.send('conversations/show', { search }),
    hide: () => link.send('conversations/hide', {}),
    open: (id) => link.send('conversations/open', { id }),
    rename: (id) => link.send('conversations/rename', { id }),
    export: (id) => link.send('conversations/export', { id }),
    delete: (id) => link.send('conversations/delete', { id }),
    undoDelete: (id) => link.send('conversations/undoDelete', { id }),
    openInEditor: (id) => link.send('conversations/openInEditor', id === undefined ? {} : { id }),
    openCopy: () => link.send('conversations/openCopy', {}),
  };
}

/** What the person can do about tool calls, and about what goes into the next request. */
interface BudgetActions {
  /** Stops one call; the answer goes on. */
  readonly stopCall: (partId: string) => void;
  /** Shows the log of the server that a call went to. */
  readonly showCallLog: (partId: string) => void;
  /** Accepts a proposed change; `isRead` says that all its diffs were read on the card. */
  readonly acceptReview: (id: string, isRead: boolean) => void;
  readonly rejectReview: (id: string) => void;
  readonly openReview: (id: string) => void;
  readonly openResult: (id: string) => void;
  readonly compact: () => void;
  readonly undoCompaction: (id: string) => void;
  readonly openInstructions: () => void;
  readonly listTools: () => void;
  readonly chooseTool: (change: ToolChange) => void;
}

const nothing = (): void => undefined;

/** Gives these actions to parts deep in the conversation. */
export const BudgetActionsContext = createContext<BudgetActions>({
  stopCall: nothing,
  showCallLog: nothing,
  acceptReview: nothing,
  rejectReview: nothing,
  openReview: nothing,
  openResult: nothing,
  compact: nothing,
  undoCompaction: nothing,
  openInstructions: nothing,
  listTools: nothing,
  chooseTool: nothing,
});

/** Which message the person is editing: at most one, and it keeps its words while it is out of view. */
export interface MessageEditing {
  /** Whether an answer runs: until it ends, no message is sent anew. */
  readonly isRunning: boolean;
  readonly edited: EditedMessage | undefined;
  /** Begins to edit a message; `from` is where the focus goes when the person gives up. */
  readonly beginEdit: (itemId: string, text: string, from: () => HTMLElement | null) => void;
  readonly setText: (text: string) => void;
  readonly endEdit: () => void;
}

export interface EditedMessage {
  readonly itemId: string;
  readonly text: string;
  readonly from: () => HTMLElement | null;
}

export const MessageEditingContext = createContext<MessageEditing>({
  isRunning: false,
  edited: undefined,
  beginEdit: () => {},
  setText: () => {},
  endEdit: () => {},
});

/** The words are kept in the store, with which they survive a reload of the page. */
export function useMessageEditing(isRunning: boolean, words: EditedWords | undefined, store: ChatStore): MessageEditing {
  const from = useRef<EditedMessage['from']>(() => null);
  return useMemo(
    () => ({
      isRunning,
      edited: words && { ...words, from: () => from.current() },
      beginEdit: (itemId, text, origin) => {
        from.current = origin;
        store.setEdited({ itemId, text });
      },
      setText: (text) => store.setEdited(store.view.edited && { ...store.view.edited, text }),
      endEdit: () => store.setEdited(undefined),
    }),
    [isRunning, words, store],
  );
}
