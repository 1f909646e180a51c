// messages/: what was said, drawn: the scrolling list of messages, each message, and the parts of an answer.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AssistantItem, ChatItem, ChatState } from '../../../contract/chat/chatState.ts';
import type { Question } from '../../../contract/questions/questions.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import type { ChatIntents, GiveAnswer } from '../chatIntents.ts';
import { useDrawingOrder } from './drawingOrder.ts';
import { EmptyState } from './emptyState.tsx';
import { useFollow } from './follow.ts';
import { firstWhole, inPieces, MessageSection, sectionSize } from './messageSection.tsx';

export interface ConversationProps {
  readonly state: ChatState | undefined;
  readonly questions: readonly Question[];
  readonly intents: ChatIntents;
  readonly onAnswer: GiveAnswer;
}

export function Messages({ state, questions, intents, onAnswer }: ConversationProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, jump } = useFollow(scroller, content);
  const items = state?.items ?? [];
  const lastQuestionId = items.findLast(({ kind }) => kind === 'user')?.id;
  useEffect(jump, [lastQuestionId, jump]);
  const generation = questions.map(({ askId }) => askId).join('\n');
  // While another window answers in this conversation, it can only be read here.
  const isReadOnly = state?.heading?.isAnsweredElsewhere === true;
  const sections = inPieces(items, sectionSize);
  const wholeFrom = firstWhole(items);
  const order = useDrawingOrder(scroller);

  return (
    <div class="conversation-frame">
      {/* Screen readers say nothing while text streams in: that would be every word. AnswerStatus and questions announce what matters. */}
      <div ref={scroller} class="conversation" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0}>
        <div ref={content} class="conversation-content">
          {state !== undefined && items.length === 0 && <EmptyState state={state} intents={intents} />}
          {sections.map((section, index) => (
            <MessageSection
              key={index}
              items={section}
              order={order}
              wholeFrom={wholeFrom - index * sectionSize}
              isLatest={index === sections.length - 1}
              isReadOnly={isReadOnly}
              generation={generation}
              intents={intents}
              onAnswer={onAnswer}
            />
          ))}
        </div>
      </div>
      {isAway && (
        <button type="button" class="jump" onClick={jump}>
          <Icon name={questions.length > 0 ? 'shield' : 'arrow-down'} {...(questions.length > 0 ? { tone: 'warning' } : {})} />
          {t('Jump to latest')}
        </button>
      )}
      <AnswerStatus items={items} />
    </div>
  );
}

/** Announces in one sentence that an answer that began on this page has ended, for people who cannot see it end. */
function AnswerStatus({ items }: { readonly items: readonly ChatItem[] }): JSX.Element {
  const last = items.at(-1);
  const answer = last?.kind === 'assistant' ? last : undefined;
  const streamed = useRef<string | undefined>(undefined);
  const [text, setText] = useState('');
  useEffect(() => {
    if (answer?.state === 'streaming') {
      streamed.current = answer.id;
      setText('');
    } else if (answer !== undefined && streamed.current === answer.id) {
      streamed.current = undefined;
      setText(endOf(answer));
    }
  }, [answer]);
  return (
    <div class="screen-reader-only" role="status" aria-label={t('Answer')}>
      {text}
    </div>
  );
}

function endOf({ state, error }: AssistantItem): string {
  if (error?.action === 'continue') {
    return t('The answer has paused.');
  }
  if (state === 'failed') {
    return t('The answer has failed.');
  }
  return state === 'stopped' ? t('The answer was stopped.') : t('The answer is finished.');
}
