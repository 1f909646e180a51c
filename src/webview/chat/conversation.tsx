import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatState } from '../../contract/chatState.ts';
import type { Question } from '../../contract/questions.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { AnswerStatus } from './answerStatus.tsx';
import type { ChatIntents } from './chatIntents.ts';
import { useDrawingTurns } from './drawingTurns.ts';
import { EmptyState } from './emptyState.tsx';
import { firstWhole, inPieces, sectionSize } from './messageGroups.ts';
import { MessageSection } from './messageSection.tsx';
import { useFollow } from './useFollow.ts';

export interface ConversationProps {
  readonly state: ChatState | undefined;
  readonly questions: readonly Question[];
  readonly intents: ChatIntents;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

export function Conversation({ state, questions, intents, onAnswer }: ConversationProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, jump } = useFollow(scroller, content);
  const items = state?.items ?? [];
  const lastQuestionId = items.findLast(({ kind }) => kind === 'user')?.id;
  useEffect(jump, [lastQuestionId, jump]);
  const generation = questions.map(({ askId }) => askId).join('\n');
  // Where another window answers, nothing can be done here.
  const isReadOnly = state?.heading?.isAnsweredElsewhere === true;
  const sections = inPieces(items, sectionSize);
  const wholeFrom = firstWhole(items);
  const turns = useDrawingTurns(scroller);

  return (
    <div class="conversation-frame">
      {/* Nothing is said while it streams: that would be every word. What matters is said by AnswerStatus and by questions. */}
      <div ref={scroller} class="conversation" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0}>
        <div ref={content} class="conversation-content">
          {state !== undefined && items.length === 0 && <EmptyState state={state} intents={intents} />}
          {sections.map((section, index) => (
            <MessageSection
              key={index}
              items={section}
              turns={turns}
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
