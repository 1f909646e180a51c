import type { SuggestionTrigger } from '../../contract/chat/attachments.ts';

/** A character that asks for suggestions, and what is typed after it up to the caret. */
export interface OpenTrigger {
  readonly trigger: SuggestionTrigger;
  readonly query: string;
  /** Where the character stands. */
  readonly start: number;
  readonly end: number;
}

const maxQuery = 100;

/** `@` and `#` at the beginning of a word, `/` at the beginning of the message: anywhere else it is part of a path or a sum. */
export function findTrigger(text: string, caret: number): OpenTrigger | undefined {
  const near = text.slice(Math.max(0, caret - maxQuery), caret);
  const found = /(?:^|[\s([{"'“‘])([@#/])([^\s@#]*)$/u.exec(near);
  const [trigger, query] = [found?.[1], found?.[2]];
  if (trigger === undefined || query === undefined) {
    return undefined;
  }
  const start = caret - query.length - 1;
  if (trigger === '/' && text.slice(0, start).trim() !== '') {
    return undefined;
  }
  return { trigger: trigger as SuggestionTrigger, query, start, end: caret };
}

export interface EditedText {
  readonly text: string;
  readonly caret: number;
}

/** Alone it leaves nothing behind, for the chip says it; within a sentence its name stays, or the sentence would lose a word. */
export function replaceTrigger(text: string, { start, end }: Pick<OpenTrigger, 'start' | 'end'>, name: string): EditedText {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isAlone = before.trim() === '' && after.trim() === '';
  const left = isAlone || name === '' ? '' : after.startsWith(' ') ? name : `${name} `;
  return { text: isAlone ? '' : `${before}${left}${after}`, caret: isAlone ? 0 : before.length + left.length };
}

/** For the button: as if the person had typed it at the caret. */
export function insertTrigger(text: string, caret: number, trigger: SuggestionTrigger): EditedText {
  const before = text.slice(0, caret);
  const space = before === '' || /\s$/u.test(before) ? '' : ' ';
  return { text: `${before}${space}${trigger}${text.slice(caret)}`, caret: caret + space.length + 1 };
}
