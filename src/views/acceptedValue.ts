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
