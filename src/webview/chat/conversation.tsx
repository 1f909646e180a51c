import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { revealInContent } from '../../base/visibleText.ts';
import type { ChatItem, ChatState, UserItem } from '../../contract/chatState.ts';
import type { Question } from '../../contract/questions.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { pure } from '../shared/pure.ts';
import { Answer } from './answer.tsx';
import { AttachmentChips } from './attachmentChips.tsx';
import type { ChatIntents } from './chatIntents.ts';
import { questionOf } from './chatReducer.ts';
import { EmptyState } from './emptyState.tsx';
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
  const lastId = items.at(-1)?.id;

  return (
    <div class="conversation-frame">
      <div ref={scroller} class="conversation" role="log" aria-label={t('Conversation')} aria-live="polite" tabIndex={0}>
        <div ref={content} class="conversation-content">
          {state !== undefined && items.length === 0 && <EmptyState state={state} intents={intents} />}
          {items.map((item) => (
            <Item
              key={item.id}
              item={item}
              // Items without an open card need not be drawn again when questions come and go.
              generation={hasQuestion(item) ? generation : ''}
              isLast={item.id === lastId}
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
    </div>
  );
}

interface ItemProps extends Pick<ConversationProps, 'intents' | 'onAnswer'> {
  readonly item: ChatItem;
  readonly generation: string;
  readonly isLast: boolean;
}

const Item = pure(({ item, ...rest }: ItemProps) =>
  item.kind === 'user' ? <UserMessage item={item} /> : <Answer item={item} {...rest} />,
);

function UserMessage({ item }: { readonly item: UserItem }): JSX.Element {
  return (
    <article class="message is-user" aria-label={t('You')}>
      {item.attachments !== undefined && <AttachmentChips attachments={item.attachments} />}
      {revealInContent(item.text)}
    </article>
  );
}

function hasQuestion(item: ChatItem): boolean {
  return item.kind === 'assistant' && item.parts.some((part) => questionOf(part) !== undefined);
}
