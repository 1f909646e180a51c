import { inexactJson } from '../../base/jsonText.ts';
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import { escapeInvisible } from '../../base/visibleText.ts';
import { t } from './localize.ts';

/**
 * Indents JSON text without parsing it into numbers and objects: what is shown is exactly what will be sent, also for
 * numbers JavaScript would round and for repeated keys. Text that is not JSON comes back unchanged.
 */
export function indentJson(text: string): string {
  if (parse(text) === undefined) {
    return text;
  }
  const pieces: string[] = [];
  let depth = 0;
  let before = '';
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []) {
    if (token === '{' || token === '[') {
      depth += 1;
      pieces.push(token, lineBreak(depth));
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (before === '{' || before === '[') {
        pieces.pop(); // nothing in it, so it stays on its line
      } else {
        pieces.push(lineBreak(depth));
      }
      pieces.push(token);
    } else if (token === ',') {
      pieces.push(token, lineBreak(depth));
    } else {
      pieces.push(token === ':' ? ': ' : token);
    }
    before = token;
  }
  return pieces.join('');
}

export function editableJson(json: string): string {
  return escapeInvisible(indentJson(json));
}

/** Says why a text cannot be a tool's arguments; `undefined` when it can. */
export function argumentsProblem(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === undefined) {
    return t('This is not JSON yet.');
  }
  return isJsonObject(parsed.value) ? exactProblem(text) : t('Arguments must be a JSON object, such as {"name": "value"}.');
}

/** Says why a text would be read as something else than it says. Text that is no JSON has no such problem. */
export function exactProblem(text: string): string | undefined {
  switch (parse(text) === undefined ? undefined : inexactJson(text)) {
    case 'repeatedKey':
      return t('A name stands twice in the same object: only the last one would be sent.');
    case 'roundedNumber':
      return t('A number is too large or has too many digits: another one would be sent. Write it as text if the tool takes that.');
    case undefined:
      return undefined;
  }
}

/** The arguments to send back; `undefined` when the person left the value as it was (spacing does not count). */
export function changedArguments(original: string, edited: string): string | undefined {
  if (edited === editableJson(original)) {
    return undefined;
  }
  const [before, after] = [parse(original), parse(edited)];
  const isSame =
    before !== undefined &&
    after !== undefined &&
    isExact(original) &&
    isExact(edited) &&
    canonicalJson(before.value) === canonicalJson(after.value);
  return isSame ? undefined : edited;
}

export function countMembers(json: string): number {
  const value = parse(json)?.value;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/** Whether parsed values can be compared: numbers of many digits may round to the same value, and then only equal text counts as equal. */
function isExact(text: string): boolean {
  return !/\d{16,}/.test(text);
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
