import type { ChatItem } from '../../contract/chatState.ts';

/** Few enough to be drawn at once without holding anybody up. */
export const groupSize = 4;
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
export function textLength(items: readonly ChatItem[]): number {
  return items.reduce((sum, item) => {
    const texts = item.kind === 'user' ? [item.text] : item.parts.map((part) => (part.kind === 'text' ? part.text : ''));
    return texts.reduce((all, text) => all + text.length + textPerPart, sum);
  }, 0);
}

/** How high text of this length will be, about. */
export function guessedHeight(length: number): number {
  return Math.ceil(length / lineLength) * lineHeight;
}
