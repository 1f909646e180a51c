/** A line of a quick pick in which text can be typed. A line without `run` only says something. */
export interface OfferedItem {
  readonly run?: (() => Promise<unknown>) | undefined;
  /** The text that the line was made of, if it was made of typed text. */
  readonly typed?: string | undefined;
}

/**
 * The line that Enter takes. Somebody who types quickly presses Enter before there is a line for their text: then no line is
 * marked, or one that was made of an earlier text, and what they typed would be lost. Undefined when there is nothing to take;
 * then the list stays open.
 */
export function acceptedItem<Item extends OfferedItem>(
  marked: Item | undefined,
  typed: string,
  itemFor: (typed: string) => Item | undefined,
): Item | undefined {
  const isOfBefore = marked?.typed !== undefined && marked.typed !== typed;
  return marked?.run === undefined || isOfBefore ? itemFor(typed) : marked;
}

/** A proposal below a text box, made for the text that was typed by then. */
export interface OfferedValue {
  readonly value: string;
  readonly typed: string;
}

/**
 * The value that Enter takes. Somebody who types quickly presses Enter before the proposals are those for their text: the marked
 * one then belongs to an earlier text, and nobody chose it. Undefined when there is nothing to take.
 */
export function acceptedValue(marked: OfferedValue | undefined, typed: string): string | undefined {
  if (marked?.typed === typed) {
    return marked.value;
  }
  return typed === '' ? undefined : typed;
}
