import type { JsonValue } from '../../../src/base/json.ts';

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

export function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
