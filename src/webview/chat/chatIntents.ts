import type { chatToHost, chatToView } from '../../contract/chatMessages.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import type { HostLink } from '../link/hostLink.ts';
import { createContextIntents, type ContextIntents } from './contextIntents.ts';
import type { PageActions } from '../markdown/pageActions.ts';

/** Everything a person can ask of the host from this page. */
export interface ChatIntents extends PageActions {
  send(text: string): void;
  stop(): void;
  startNew(): void;
  retry(): void;
  setApiKey(): void;
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
    retry: () => link.send('chat/retry', {}),
    setApiKey: () => link.send('chat/setApiKey', {}),
    addServer: () => link.send('chat/addServer', {}),
    showTools: () => link.send('chat/showTools', {}),
    context: createContextIntents(link),
    answer: (answer) => link.send('consent/answer', answer),
    showDefinition: (askId) => link.send('consent/show', { askId }),
    openLink: (href) => link.send('link/open', { href }),
    openFile: (reference) => link.send('file/open', reference),
    copyCode: (text) => link.send('code/copy', { text }),
    insertCode: (text) => link.send('code/insert', { text }),
  };
}
