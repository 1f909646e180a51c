/** A line of a list in which a text can be typed. Without `run` it only says something. */
export interface OfferedItem {
  readonly run?: (() => Promise<unknown>) | undefined;
  /** For a line that was made of what was typed: that. */
  readonly typed?: string | undefined;
}

/**
 * What Enter means. Who types quickly presses it before there is a line for the text: then nothing is marked, or a line that was
 * made of a text of before, and what was typed would be lost. Undefined while there is nothing to take: the list stays open.
 */
export function acceptedItem<Item extends OfferedItem>(
  marked: Item | undefined,
  typed: string,
  itemFor: (typed: string) => Item | undefined,
): Item | undefined {
  const isOfBefore = marked?.typed !== undefined && marked.typed !== typed;
  return marked?.run === undefined || isOfBefore ? itemFor(typed) : marked;
}

/** A line below a text box, made for what was typed by then. */
export interface OfferedValue {
  readonly value: string;
  readonly typed: string;
}

/**
 * What Enter means. Who types quickly presses it before the lines below are those of the text: the line that is marked then
 * belongs to a text of before, and is nothing that was chosen. Undefined while there is nothing to take.
 */
export function acceptedValue(marked: OfferedValue | undefined, typed: string): string | undefined {
  if (marked?.typed === typed) {
    return marked.value;
  }
  return typed === '' ? undefined : typed;
}
