import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import { Icon, IconButton } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { conversationTitle } from './chatStore.ts';
import type { ConversationIntents } from './chatIntents.ts';
import { Conversations } from './conversations.tsx';

export interface HeaderProps {
  readonly state: ChatState | undefined;
  readonly list: ConversationList | undefined;
  readonly intents: ConversationIntents;
  readonly onNew: () => void;
}

/** The line at the top: the title of the conversation, the way to the others, and a new one. */
export function Header({ state, list, intents, onNew }: HeaderProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (isByKeyboard: boolean): void => {
    setOpen(false);
    if (isByKeyboard) {
      button.current?.focus();
    }
  };
  useOpenList(isOpen, intents, setOpen);
  const startNew = (): void => {
    setOpen(false);
    onNew();
  };
  const shownTitle = state === undefined ? '' : revealInvisible(conversationTitle(state));

  return (
    <>
      <header class="top-bar">
        <span class="top-title" dir="auto" title={shownTitle}>
          {shownTitle}
        </span>
        <button
          ref={button}
          type="button"
          class="icon-button"
          aria-label={t('Conversations')}
          title={t('Conversations')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="history" />
        </button>
        {state?.isInEditor !== true && (
          <IconButton label={t('Open in editor')} icon="open-in-window" onClick={() => intents.openInEditor()} />
        )}
        <IconButton label={t('New conversation')} icon="add" onClick={startNew} />
      </header>
      {isOpen && <Conversations list={list} shownId={state?.conversationId} intents={intents} onClose={close} />}
    </>
  );
}

/** While the list is open, a click elsewhere closes it; when it closes, the host stops sending it. */
function useOpenList(isOpen: boolean, intents: ConversationIntents, setOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Element && event.target.closest('.conversations, .top-bar') === null) {
        setOpen(false);
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      intents.hide();
    };
  }, [isOpen, intents, setOpen]);
}
