import type { JsonValue } from '../../../src/base/json.ts';

/** Longer than this, a sentence is told only up to its colon. */
const maxLine = 130;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(value: JsonValue | undefined): string {
  return `\`${text(value)}\``;
}

/** Text that was not written as Markdown. */
export function plain(value: JsonValue | undefined): string {
  return text(value)
    .replace(/[\\*`]|\b_|_\b/g, '\\$&')
    .replaceAll('<', '&lt;');
}

/** The first sentence, for a table of names. */
export function oneLine(value: JsonValue | undefined): string {
  const whole = text(value);
  const sentence = /^.+?\.(?=\s|$)/s.exec(whole)?.[0] ?? whole;
  const colon = sentence.indexOf(': ');
  return sentence.length > maxLine && colon > 0 ? `${sentence.slice(0, colon)}.` : sentence;
}

export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
