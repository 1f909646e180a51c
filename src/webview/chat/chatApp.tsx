import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useCallback } from 'preact/hooks';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { PageActionsContext } from '../markdown/pageActions.ts';
import type { FocusKeeper } from '../question/focusKeeper.ts';
import { ShowDefinitionContext } from '../question/showDefinition.ts';
import { t } from '../shared/localize.ts';
import { ActingContext, useActing } from './acting.ts';
import { BudgetActionsContext } from './budgetActions.ts';
import type { ChatIntents } from './chatIntents.ts';
import { Announcement } from './chatParts.tsx';
import { lastUserItem, openQuestions } from './chatReducer.ts';
import type { ChatStore, ChatView } from './chatStore.ts';
import { Composer } from './composer.tsx';
import { messageId } from './messageBox.tsx';
import { decideEscape } from './composerRules.ts';
import { Conversation } from './conversation.tsx';
import { AnsweredElsewhere, LeftOut } from './conversationNotes.tsx';
import { SentPicturesContext, type SentPictures } from './sentPictures.tsx';
import { Header } from './header.tsx';

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
  const acting = useActing(state?.isRunning === true);
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
          <ActingContext.Provider value={acting}>
            <ShowDefinitionContext.Provider value={intents.showDefinition}>
              <SentPicturesContext.Provider value={pictures}>
                <Conversation key={state?.conversationId} state={state} questions={questions} intents={intents} onAnswer={answer} />
              </SentPicturesContext.Provider>
            </ShowDefinitionContext.Provider>
            <AnsweredElsewhere isShown={state?.heading?.isAnsweredElsewhere === true} intents={intents.conversations} />
            <Composer state={state} draft={draft} tools={tools} store={store} intents={intents} lastMessage={lastUserItem(items)} />
          </ActingContext.Provider>
        </main>
      </BudgetActionsContext.Provider>
    </PageActionsContext.Provider>
  );
}

/** A field of a question, where Escape leaves the field first. */
function fieldOfCard(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-question] :is(textarea, input, select)') : null;
}
