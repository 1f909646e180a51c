import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useCallback } from 'preact/hooks';
import type { PersonAnswer } from '../../contract/questions/questions.ts';
import type { FocusKeeper } from '../question/focusKeeper.ts';
import { Icon } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { PageActionsContext, ShowDefinitionContext } from '../shared/pageActions.tsx';
import {
  MessageEditingContext,
  BudgetActionsContext,
  type ChatIntents,
  type ConversationIntents,
  useMessageEditing,
} from './chatIntents.ts';
import { Announcement } from './chatParts.tsx';
import { type ChatStore, type ChatView, lastUserItem, openQuestions } from './chatStore.ts';
import { Composer } from './composer/composer.tsx';
import { decideEscape } from './composer/composerRules.ts';
import { messageId } from './composer/messageBox.tsx';
import { Header } from './header.tsx';
import { type SentPictures, SentPicturesContext } from './messages/attachments.tsx';
import { Conversation } from './messages/conversation.tsx';

export interface ChatAppProps {
  readonly view: ChatView;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly focus: FocusKeeper;
  readonly pictures: SentPictures;
}

export function ChatApp({ view: { state, draft, tools, list }, store, intents, focus, pictures }: ChatAppProps): JSX.Element {
  const items = state?.items ?? [];
  const questions = openQuestions(items);
  const editing = useMessageEditing(state?.isRunning === true);
  const answer = useCallback(
    (given: PersonAnswer, card: HTMLElement) => {
      intents.answer(given);
      focus.afterAnswer(card);
    },
    [intents, focus],
  );
  const startNew = (): void => {
    intents.startNew();
    document.getElementById(messageId)?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const field = fieldOfCard(event.target);
    const action = decideEscape(event, { isInField: field !== null, isRunning: state?.isRunning === true });
    if (action === 'leaveField') {
      field?.closest<HTMLElement>('[data-question]')?.focus();
    } else if (action === 'stop') {
      intents.stop();
      document.getElementById(messageId)?.focus();
    }
  };
  return (
    <PageActionsContext.Provider value={intents}>
      <BudgetActionsContext.Provider value={intents}>
        <main class="chat" onKeyDown={onKeyDown}>
          <h1 class="screen-reader-only">{t('Duplex chat')}</h1>
          <Header state={state} list={list} intents={intents.conversations} onNew={startNew} />
          <LeftOut count={state?.heading?.messagesLeftOut ?? 0} />
          <Announcement questions={questions} />
          <MessageEditingContext.Provider value={editing}>
            <ShowDefinitionContext.Provider value={intents.showDefinition}>
              <SentPicturesContext.Provider value={pictures}>
                <Conversation key={state?.conversationId} state={state} questions={questions} intents={intents} onAnswer={answer} />
              </SentPicturesContext.Provider>
            </ShowDefinitionContext.Provider>
            <AnsweredElsewhere isShown={state?.heading?.isAnsweredElsewhere === true} intents={intents.conversations} />
            <Composer state={state} draft={draft} tools={tools} store={store} intents={intents} lastMessage={lastUserItem(items)} />
          </MessageEditingContext.Provider>
        </main>
      </BudgetActionsContext.Provider>
    </PageActionsContext.Provider>
  );
}

/** The field of a question that has the focus, if any: Escape leaves that field first. */
function fieldOfCard(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-question] :is(textarea, input, select)') : null;
}

/** A note above a conversation whose beginning is no longer kept. */
function LeftOut({ count }: { readonly count: number }): JSX.Element | null {
  if (count === 0) {
    return null;
  }
  return (
    <div class="note secondary left-out">
      <Icon name="info" />
      <span>
        {plural(
          count,
          () => t('The oldest message is no longer kept: the conversation is too large.'),
          (many) => t('The {0} oldest messages are no longer kept: the conversation is too large.', many),
        )}
      </span>
    </div>
  );
}

/** A note above the composer that another window answers; as long as it is there, nothing can be sent. */
function AnsweredElsewhere({ isShown, intents }: { readonly isShown: boolean; readonly intents: ConversationIntents }): JSX.Element {
  return (
    <div class="elsewhere" role="status">
      {isShown && (
        <>
          <Icon name="multiple-windows" />
          <span>{t('Another window is answering in this conversation. Here it can be read.')}</span>
          <button type="button" class="button is-secondary" onClick={() => intents.openCopy()}>
            {t('Open a copy')}
          </button>
        </>
      )}
    </div>
  );
}
