// messages/: what was said, drawn: the scrolling list of messages, each message, and the parts of an answer.
import type { JSX, RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { AssistantItem, ChatItem, ChatState } from '../../../contract/chat/chatState.ts';
import type { PersonAnswer, Question } from '../../../contract/questions/questions.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';
import { useDrawingOrder } from './drawingOrder.ts';
import { EmptyState } from './emptyState.tsx';
import { firstWhole, inPieces, MessageSection, sectionSize } from './messageSection.tsx';

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

const nearBottom = 24;
const cardMargin = 8;

export interface Follow {
  /** Whether the person reads further up: then nothing scrolls by itself. */
  readonly isAway: boolean;
  readonly jump: () => void;
}

/** How far down to scroll: to the end, but not past the beginning of a permission question, which must be read first. */
function followTarget(frame: HTMLElement): number {
  if (frame.querySelector('.message') === null) {
    return 0; // an empty chat is read from its beginning
  }
  const end = frame.scrollHeight - frame.clientHeight;
  const call = openCard(frame)?.parentElement;
  if (call === null || call === undefined) {
    return end;
  }
  return Math.min(end, frame.scrollTop + call.getBoundingClientRect().top - frame.getBoundingClientRect().top - cardMargin);
}

function openCard(frame: HTMLElement): Element | null {
  return frame.querySelector('[data-question]:not([data-answered])');
}

function isInView(frame: HTMLElement, element: Element | null): boolean {
  const [outer, inner] = [frame.getBoundingClientRect(), element?.getBoundingClientRect()];
  return inner !== undefined && inner.top < outer.bottom && inner.bottom > outer.top;
}

/** Keeps the newest text in view, but only for somebody who is at the bottom already. */
function useFollow(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): Follow {
  const isPinned = useRef(true);
  const placed = useRef(new WeakSet<Element>());
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const [frame, inner] = [scroller.current, content.current];
    if (frame === null || inner === null) {
      return undefined;
    }
    const look = (): void => {
      isPinned.current = followTarget(frame) - frame.scrollTop < nearBottom;
      // The button for jumping down would cover the buttons of a card.
      setAway(!isPinned.current && !isInView(frame, openCard(frame)));
    };
    // When the person opens a card, its first line must not scroll away.
    const onClick = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded], [data-grows]') !== null) {
        isPinned.current = false;
        requestAnimationFrame(() => requestAnimationFrame(look));
      }
    };
    const observer = new ResizeObserver(() => {
      if (isPinned.current) {
        const card = openCard(frame);
        const isNew = card !== null && !placed.current.has(card);
        // The browser may have scrolled a new card to its end already. Later on, a place further down is where the person went.
        frame.scrollTop = isNew ? followTarget(frame) : Math.max(frame.scrollTop, followTarget(frame));
        if (card !== null) {
          placed.current.add(card);
        }
      } else {
        look();
      }
    });
    observer.observe(inner);
    observer.observe(frame);
    frame.addEventListener('scroll', look, { passive: true });
    frame.addEventListener('click', onClick, { capture: true });
    return () => {
      observer.disconnect();
      frame.removeEventListener('scroll', look);
      frame.removeEventListener('click', onClick, { capture: true });
    };
  }, [scroller, content]);

  const jump = useCallback(() => {
    isPinned.current = true;
    setAway(false);
    if (scroller.current !== null) {
      scroller.current.scrollTop = followTarget(scroller.current);
    }
  }, [scroller]);
  return { isAway, jump };
}
