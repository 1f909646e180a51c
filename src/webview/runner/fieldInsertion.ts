type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A field of the form that text can be put into. */
export function isTextField(element: unknown): element is TextField {
  return (element instanceof HTMLInputElement && element.type === 'text') || element instanceof HTMLTextAreaElement;
}

/**
 * Puts a text where the caret of a field is, in place of what is selected, as if it had been typed: whoever owns the field hears of
 * it. Into JSON it goes as JSON.
 */
export function insertInto(field: TextField, text: string): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const fitting = field.classList.contains('code-input') ? asJson(field.value, start, text) : text;
  field.focus();
  field.setRangeText(fitting, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}

/** Pure. Within quotes as the inside of a string, elsewhere as a whole one. */
export function asJson(json: string, place: number, text: string): string {
  const whole = JSON.stringify(text);
  return isInString(json, place) ? whole.slice(1, -1) : whole;
}

function isInString(json: string, place: number): boolean {
  let isInside = false;
  for (let index = 0; index < place; index += 1) {
    if (json[index] === '\\' && isInside) {
      index += 1;
    } else if (json[index] === '"') {
      isInside = !isInside;
    }
  }
  return isInside;
}
