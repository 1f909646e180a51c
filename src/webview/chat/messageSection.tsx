import { useRef } from 'preact/hooks';
import type { ChatItem } from '../../contract/chatState.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { pure } from '../shared/pure.ts';
import { Answer } from './answer.tsx';
import type { ChatIntents } from './chatIntents.ts';
import { questionOf } from './chatReducer.ts';
import { useDrawn, type DrawingTurns } from './drawingTurns.ts';
import { FarMessage } from './farMessage.tsx';
import { groupSize, guessedHeight, inPieces, textLength } from './messageGroups.ts';
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
