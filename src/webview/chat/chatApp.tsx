import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';
import type { PersonAnswer, Question } from '../../contract/questions.ts';
import { PageActionsContext } from '../markdown/pageActions.ts';
import { focusAfterAnswer } from '../question/focusAfterAnswer.ts';
import { ShowDefinitionContext } from '../question/showDefinition.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ChatIntents } from './chatIntents.ts';
import { conversationTitle, lastUserText, openQuestions } from './chatReducer.ts';
import type { ChatStore, ChatView } from './chatStore.ts';
import { Composer, messageId } from './composer.tsx';
import { Conversation } from './conversation.tsx';

export interface ChatAppProps {
  readonly view: ChatView;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
}

export function ChatApp({ view: { state, draft }, store, intents }: ChatAppProps): JSX.Element {
  const items = state?.items ?? [];
  const questions = openQuestions(items);
  const answer = useCallback(
    (given: PersonAnswer, card: HTMLElement) => {
      intents.answer(given);
      focusAfterAnswer(card, document.getElementById(messageId));
    },
    [intents],
  );
  const startNew = (): void => {
    intents.startNew();
    document.getElementById(messageId)?.focus();
  };
  return (
    <PageActionsContext.Provider value={intents}>
      <main class="chat">
        <h1 class="screen-reader-only">{t('Duplex chat')}</h1>
        <Header title={conversationTitle(items)} onNew={startNew} />
        <Announcement questions={questions} />
        <ShowDefinitionContext.Provider value={intents.showDefinition}>
          <Conversation key={state?.conversationId} state={state} questions={questions} intents={intents} onAnswer={answer} />
        </ShowDefinitionContext.Provider>
        <Composer state={state} draft={draft} store={store} intents={intents} lastMessage={lastUserText(items)} />
      </main>
    </PageActionsContext.Provider>
  );
}

function Header({ title, onNew }: { readonly title: string; readonly onNew: () => void }): JSX.Element {
  return (
    <header class="top-bar">
      <span class="top-title" title={title}>
        {title}
      </span>
      <button type="button" class="icon-button" aria-label={t('New conversation')} title={t('New conversation')} onClick={onNew}>
        <Icon name="add" />
      </button>
    </header>
  );
}

/** Said at once to people who cannot see the card appear; the focus stays where they are typing. */
function Announcement({ questions }: { readonly questions: readonly Question[] }): JSX.Element {
  const detail = questions[0]?.detail;
  const subject =
    detail?.kind === 'callTool'
      ? `${detail.server}, ${detail.tool}`
      : detail?.kind === 'connectClient' || detail?.kind === 'clientAct'
        ? detail.callsItself
        : detail?.kind === 'sendConversation'
          ? detail.destination
          : detail?.kind === 'ownAct'
            ? detail.tool
            : (detail?.server ?? '');
  return (
    <div class="screen-reader-only" role="alert">
      {detail === undefined ? '' : t('A permission question is waiting for you: {0}.', wholeText(subject))}
    </div>
  );
}
