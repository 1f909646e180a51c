import type { chatToHost, chatToView } from '../../contract/chatMessages.ts';
import type { HostLink } from '../link/hostLink.ts';

/** What a person can do with the conversations that are kept. */
export interface ConversationIntents {
  /** From now on the list is sent, and sent again when it changes. */
  show(search: string): void;
  hide(): void;
  open(id: string): void;
  rename(id: string): void;
  export(id: string): void;
  delete(id: string): void;
  undoDelete(id: string): void;
  /** Without an id: the one that is shown. */
  openInEditor(id?: string): void;
  openCopy(): void;
}

export function conversationIntents(link: HostLink<typeof chatToHost, typeof chatToView>): ConversationIntents {
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
