import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useCallback } from 'preact/hooks';
import type { ChatState } from '../../contract/chat/chatState.ts';
import type { FocusKeeper } from '../shared/focusKeeper.ts';
import { Icon } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { PageActionsContext, ShowDefinitionContext } from '../shared/pageActions.tsx';
import { PlainContext } from '../shared/plainText.tsx';
import {
  MessageEditingContext,
  BudgetActionsContext,
  type ChatIntents,
  type ConversationIntents,
  type GiveAnswer,
  useMessageEditing,
} from './chatIntents.ts';
import { Announcement } from './chatParts.tsx';
import { type ChatStore, type ChatShown, lastUserItem, openQuestions } from './chatStore.ts';
import { Composer } from './composer/composer.tsx';
import { stopsByEscape } from './composer/composerRules.ts';
import { messageId } from './composer/messageBox.tsx';
import { Header } from './header.tsx';
import { type SentPictures, SentPicturesContext } from './messages/attachments.tsx';
import { Messages } from './messages/conversation.tsx';

export interface ChatAppProps {
  readonly view: ChatShown;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly focus: FocusKeeper;
  readonly pictures: SentPictures;
}

export function ChatApp({ view: { state, draft, edited, tools, list }, store, intents, focus, pictures }: ChatAppProps): JSX.Element {
  const items = state?.items ?? [];
  const questions = openQuestions(items);
  const editing = useMessageEditing(state?.isRunning === true, edited, store);
  const answer = useCallback<GiveAnswer>(
    (given, card) => {
      if ('rows' in given) {
        intents.answerTogether(given);
      } else {
        intents.answer(given);
      }
      focus.afterAnswer(card);
    },
    [intents, focus],
  );
  const startNew = (): void => {
    intents.startNew();
    document.getElementById(messageId)?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (stopsByEscape(event, state?.isRunning === true)) {
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
          <Notes state={state} onWhole={() => intents.showWhole()} />
          <Announcement questions={questions} />
          <MessageEditingContext.Provider value={editing}>
            <ShowDefinitionContext.Provider value={intents.showDefinition}>
              <SentPicturesContext.Provider value={pictures}>
                <PlainContext.Provider value={state?.isPlain === true}>
                  <Messages key={state?.conversationId} state={state} questions={questions} intents={intents} onAnswer={answer} />
                </PlainContext.Provider>
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

/** What there is to say of the conversation as a whole. */
function Notes({ state, onWhole }: { readonly state: ChatState | undefined; readonly onWhole: () => void }): JSX.Element {
  return (
    <>
      <LeftOut count={state?.heading?.messagesLeftOut ?? 0} />
      <NotKept isShown={state?.heading?.isNotKept === true} />
      <ShownPlain isShown={state?.isPlain === true} onWhole={onWhole} />
    </>
  );
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

/** A note above a conversation that cannot be written for the moment. */
function NotKept({ isShown }: { readonly isShown: boolean }): JSX.Element {
  return (
    <div role="status">
      {isShown && (
        <div class="note secondary left-out">
          <Icon name="warning" />
          <span>{t('This conversation is not being kept for the moment: it cannot be written. Duplex goes on trying.')}</span>
        </div>
      )}
    </div>
  );
}

/** A note above a conversation that is shown as plain text, with the way to see it whole. */
function ShownPlain({ isShown, onWhole }: { readonly isShown: boolean; readonly onWhole: () => void }): JSX.Element | null {
  if (!isShown) {
    return null;
  }
  return (
    <div class="note secondary left-out" role="status">
      <Icon name="warning" />
      <span>
        {t('This conversation is shown as plain text: the last time it could not be drawn to its end.')}{' '}
        <button type="button" class="button is-quiet" onClick={onWhole}>
          {t('Show it formatted')}
        </button>
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
