import type { chatToHost, chatToView } from '../../contract/chatMessages.ts';
import { conversationIntents, type ConversationIntents } from './conversationIntents.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import type { AnswerFeedback } from '../../contract/chat/acting.ts';
import type { HostLink } from '../link/hostLink.ts';
import { createContextIntents, type ContextIntents } from './contextIntents.ts';
import type { BudgetActions } from './budgetActions.ts';
import type { PageActions } from '../markdown/pageActions.ts';

/** Everything a person can ask of the host from this page. */
export interface ChatIntents extends PageActions, BudgetActions {
  send(text: string): void;
  stop(): void;
  startNew(): void;
  readonly conversations: ConversationIntents;
  /** The last answer if none is named. */
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
  readonly showDefinition: (askId: string) => void;
}

export function createIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ChatIntents {
  return {
    send: (text) => link.send('chat/send', { text }),
    stop: () => link.send('chat/stop', {}),
    startNew: () => link.send('chat/new', {}),
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
    showDefinition: (askId) => link.send('consent/show', { askId }),
    stopCall: (partId) => link.send('call/stop', { partId }),
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
