import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { revealInContent, revealInvisible } from '../../../base/visibleText.ts';
import type { ChatItem, ChatPart } from '../../../contract/chat/chatState.ts';
import type { PersonAnswer } from '../../../contract/questions/questions.ts';
import { t } from '../../shared/localize.ts';
import { pure } from '../../shared/page.tsx';
import type { ChatIntents } from '../chatIntents.ts';
import { questionOf } from '../chatStore.ts';
import { Answer } from './answer.tsx';
import { type DrawingTurns, useDrawn } from './drawingOrder.ts';
import { UserMessage } from './userMessage.tsx';

interface NeighboursProps {
  readonly items: readonly ChatItem[];
  readonly turns: DrawingTurns;
  /** From this one on they are drawn whole with the page. */
  readonly wholeFrom: number;
  readonly isLatest: boolean;
  readonly isReadOnly: boolean;
  readonly generation: string;
  readonly intents: ChatIntents;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

/** Neighbours, looked at together: a word more in the last answer of thousands costs its own group. */
function isSame(before: NeighboursProps, after: NeighboursProps): boolean {
  return (
    before.items.length === after.items.length &&
    before.items.every((item, index) => item === after.items[index]) &&
    before.isLatest === after.isLatest &&
    before.isReadOnly === after.isReadOnly &&
    before.intents === after.intents &&
    before.onAnswer === after.onAnswer &&
    (before.generation === after.generation || !after.items.some(hasQuestion))
  );
}

/** Many neighbours: of those far away only the place is there at first. */
export const MessageSection = pure(({ items, turns, wholeFrom, isLatest, ...rest }: NeighboursProps) => {
  const place = useRef<HTMLDivElement>(null);
  const isThere = useDrawn(turns, place, wholeFrom < items.length, 0) !== 'nothing' || isLatest || items.some(hasQuestion);
  const groups = isThere ? inPieces(items, groupSize) : [];
  return (
    <div ref={place} class={isLatest ? 'message-section' : 'message-section is-earlier'} style={isLatest ? {} : roomFor(items)}>
      {groups.map((group, index) => (
        <Group
          key={index}
          items={group}
          turns={turns}
          wholeFrom={wholeFrom - index * groupSize}
          isLatest={isLatest && index === groups.length - 1}
          {...rest}
        />
      ))}
    </div>
  );
}, isSame);

const Group = pure(({ items, turns, wholeFrom, isLatest, isReadOnly, generation, ...rest }: NeighboursProps) => {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(turns, place, wholeFrom < items.length, textLength(items));
  // Whoever is asked must see it, wherever it stands.
  const isWhole = drawn === 'whole' || isLatest || items.some(hasQuestion);
  return (
    <div ref={place} class={isLatest ? 'message-group' : 'message-group is-earlier'} style={isLatest ? {} : roomFor(items)}>
      {isWhole
        ? items.map((item, index) => (
            <Item
              key={item.id}
              item={item}
              // Items without an open card need not be drawn again when questions come and go.
              generation={hasQuestion(item) ? generation : ''}
              isLast={isLatest && !isReadOnly && index === items.length - 1}
              {...rest}
            />
          ))
        : drawn === 'words' && items.map((item) => <FarMessage key={item.id} item={item} />)}
    </div>
  );
}, isSame);

interface ItemProps extends Pick<NeighboursProps, 'intents' | 'onAnswer'> {
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

/** Kept until it is drawn, and remembered by the browser from then on. */
function roomFor(items: readonly ChatItem[]): { readonly containIntrinsicBlockSize: string } {
  return { containIntrinsicBlockSize: `auto ${guessedHeight(textLength(items))}px` };
}

/**
 * A message far from what is in view: its words, so that they are found and read out in their order, and nothing that costs
 * time. It is drawn whole before anybody sees it.
 */
const FarMessage = pure(({ item }: { readonly item: ChatItem }): JSX.Element =>
  item.kind === 'user' ? (
    <article class="message is-user is-far" dir="auto" aria-label={t('You')} data-message={item.id}>
      {revealInContent(item.text)}
    </article>
  ) : (
    <article class="message is-assistant is-far" dir="auto" aria-label={t('Assistant')}>
      {item.parts.map(wordsOf).filter(Boolean).join('\n\n')}
    </article>
  ),
);

function wordsOf(part: ChatPart): string {
  if (part.kind === 'toolCall') {
    return revealInvisible(`${part.server} ${part.tool}`);
  }
  // What a person folds open is not found before that.
  return part.kind === 'text' || part.kind === 'notice' ? revealInContent(part.text) : '';
}

/** Few enough to be drawn at once without holding anybody up. */
const groupSize = 4;
export const sectionSize = 64;

/** As much text as stands in a window; each message has its margins and buttons too. */
const maxTextAtFirst = 5_000;
const textPerPart = 150;

/** As many characters in a line, and as high a line, as in a sidebar: a guess for what nobody has seen yet. */
const lineLength = 50;
const lineHeight = 20;

export function inPieces<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}

/** The first message that is drawn whole with the page: of short messages many are, of long ones few. */
export function firstWhole(items: readonly ChatItem[]): number {
  let text = 0;
  for (let index = items.length - 1; index > 0; index -= 1) {
    text += textLength(items.slice(index, index + 1));
    if (text > maxTextAtFirst) {
      return index;
    }
  }
  return 0;
}

/** What they would come to as text. */
function textLength(items: readonly ChatItem[]): number {
  return items.reduce((sum, item) => {
    const texts = item.kind === 'user' ? [item.text] : item.parts.map((part) => (part.kind === 'text' ? part.text : ''));
    return texts.reduce((all, text) => all + text.length + textPerPart, sum);
  }, 0);
}

/** How high text of this length will be, about. */
function guessedHeight(length: number): number {
  return Math.ceil(length / lineLength) * lineHeight;
}
