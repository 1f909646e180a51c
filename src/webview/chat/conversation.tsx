import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatItem, ChatState } from '../../contract/chatState.ts';
import type { Question } from '../../contract/questions.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { pure } from '../shared/pure.ts';
import { Answer } from './answer.tsx';
import { AnswerStatus } from './answerStatus.tsx';
import type { ChatIntents } from './chatIntents.ts';
import { questionOf } from './chatReducer.ts';
import { EmptyState } from './emptyState.tsx';
import { useEarlier } from './useEarlier.ts';
import { useFollow } from './useFollow.ts';
import { UserMessage } from './userMessage.tsx';

const groupSize = 8;

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
  const groups = Array.from({ length: Math.ceil(items.length / groupSize) }, (_, index) => index);
  const from = useEarlier(groups.length, scroller);

  return (
    <div class="conversation-frame">
      {/* Nothing is said while it streams: that would be every word. What matters is said by AnswerStatus and by questions. */}
      <div ref={scroller} class="conversation" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0}>
        <div ref={content} class="conversation-content">
          {state !== undefined && items.length === 0 && <EmptyState state={state} intents={intents} />}
          {groups.slice(from).map((group) => (
            <Group
              key={group}
              items={items.slice(group * groupSize, (group + 1) * groupSize)}
              isLatest={group === groups.length - 1}
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

interface GroupProps extends Pick<ConversationProps, 'intents' | 'onAnswer'> {
  readonly items: readonly ChatItem[];
  readonly isLatest: boolean;
  readonly isReadOnly: boolean;
  readonly generation: string;
}

/** Neighbours, looked at together: a word more in the last answer of thousands costs its own group. */
const Group = pure(
  ({ items, isLatest, isReadOnly, generation, ...rest }: GroupProps) => (
    <div class={isLatest ? 'message-group' : 'message-group is-earlier'}>
      {items.map((item, index) => (
        <Item
          key={item.id}
          item={item}
          // Items without an open card need not be drawn again when questions come and go.
          generation={hasQuestion(item) ? generation : ''}
          isLast={isLatest && !isReadOnly && index === items.length - 1}
          {...rest}
        />
      ))}
    </div>
  ),
  (before, after) =>
    before.items.length === after.items.length &&
    before.items.every((item, index) => item === after.items[index]) &&
    before.isLatest === after.isLatest &&
    before.isReadOnly === after.isReadOnly &&
    before.intents === after.intents &&
    before.onAnswer === after.onAnswer &&
    (before.generation === after.generation || !after.items.some(hasQuestion)),
);

interface ItemProps extends Pick<ConversationProps, 'intents' | 'onAnswer'> {
  readonly item: ChatItem;
  readonly generation: string;
  readonly isLast: boolean;
}

const Item = pure(({ item, ...rest }: ItemProps) =>
  item.kind === 'user' ? <UserMessage item={item} intents={rest.intents} /> : <Answer item={item} {...rest} />,
);

function hasQuestion(item: ChatItem): boolean {
  return item.kind === 'assistant' && item.parts.some((part) => questionOf(part) !== undefined);
}
