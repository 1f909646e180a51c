import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { ChatItem, ChatPart } from '../../../contract/chat/chatState.ts';
import { t } from '../../shared/localize.ts';
import { pure } from '../../shared/page.tsx';
import { PlainText, shortened } from '../../shared/plainText.tsx';
import type { ChatIntents, GiveAnswer } from '../chatIntents.ts';
import { questionOf } from '../chatStore.ts';
import { Answer } from './answer.tsx';
import { type DrawingOrder, useDrawn } from './drawingOrder.ts';
import { UserMessage } from './userMessage.tsx';

interface NeighboursProps {
  readonly items: readonly ChatItem[];
  readonly order: DrawingOrder;
  /** The index of the first message that is drawn whole with the page. */
  readonly wholeFrom: number;
  readonly isLatest: boolean;
  readonly isReadOnly: boolean;
  readonly generation: string;
  readonly intents: ChatIntents;
  readonly onAnswer: GiveAnswer;
}

/**
 * Whether a whole group can stay as it is. Groups are compared as a whole, so that one more word in the last of thousands of
 * answers costs only its own group.
 */
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

/** A section of many messages; far from the visible part only its place is there at first. */
export const MessageSection = pure(({ items, order, wholeFrom, isLatest, ...rest }: NeighboursProps) => {
  const place = useRef<HTMLDivElement>(null);
  const isThere = useDrawn(order, place, wholeFrom < items.length, 0) !== 'nothing' || isLatest || items.some(hasQuestion);
  const groups = isThere ? inPieces(items, groupSize) : [];
  return (
    <div ref={place} class={isLatest ? 'message-section' : 'message-section is-earlier'} style={isLatest ? {} : roomFor(items)}>
      {groups.map((group, index) => (
        <Group
          key={index}
          items={group}
          order={order}
          wholeFrom={wholeFrom - index * groupSize}
          isLatest={isLatest && index === groups.length - 1}
          {...rest}
        />
      ))}
    </div>
  );
}, isSame);

const Group = pure(({ items, order, wholeFrom, isLatest, isReadOnly, generation, ...rest }: NeighboursProps) => {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(order, place, wholeFrom < items.length, textLength(items));
  // A question must be seen, wherever it is.
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

/** Whether something in it waits for the person. */
function hasQuestion(item: ChatItem): boolean {
  return (
    item.kind === 'assistant' &&
    item.parts.some((part) => questionOf(part) !== undefined || (part.kind === 'toolCall' && part.review !== undefined))
  );
}

/** The height that is reserved for messages that are not drawn yet; the browser remembers the real one from then on. */
function roomFor(items: readonly ChatItem[]): { readonly containIntrinsicBlockSize: string } {
  return { containIntrinsicBlockSize: `auto ${guessedHeight(textLength(items))}px` };
}

/**
 * A message far from the visible part: its words, so that they can be found and read out in order, and nothing that costs time.
 * It is drawn whole before anybody sees it.
 */
const FarMessage = pure(({ item }: { readonly item: ChatItem }): JSX.Element =>
  item.kind === 'user' ? (
    <article class="message is-user is-far" dir="auto" aria-label={t('You')} data-message={item.id}>
      <PlainText text={item.text} />
    </article>
  ) : (
    <article class="message is-assistant is-far" dir="auto" aria-label={t('Assistant')}>
      <PlainText text={item.parts.map(wordsOf).filter(Boolean).join('\n\n')} />
    </article>
  ),
);

function wordsOf(part: ChatPart): string {
  if (part.kind === 'toolCall') {
    return revealInvisible(shortened(`${part.server} ${part.tool}`));
  }
  // What is folded cannot be found before it is opened either.
  return part.kind === 'text' || part.kind === 'notice' ? part.text : '';
}

/** How many messages are drawn at once without blocking the page. */
const groupSize = 4;
export const sectionSize = 64;

/** How many characters fill a window, where each message has its margins and buttons too. */
const maxTextAtFirst = 5_000;
const textPerPart = 150;

/** The characters in a line and the height of a line in a sidebar: a guess for what nobody has seen yet. */
const lineLength = 50;
const lineHeight = 20;

export function inPieces<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}

/** The first message that is drawn whole with the page: many if they are short, few if they are long. */
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

/** How much text messages amount to. */
function textLength(items: readonly ChatItem[]): number {
  return items.reduce((sum, item) => {
    const texts = item.kind === 'user' ? [item.text] : item.parts.map((part) => (part.kind === 'text' ? part.text : ''));
    return texts.reduce((all, text) => all + text.length + textPerPart, sum);
  }, 0);
}

/** About how high, in pixels, a text of this length will be. */
function guessedHeight(length: number): number {
  return Math.ceil(length / lineLength) * lineHeight;
}
