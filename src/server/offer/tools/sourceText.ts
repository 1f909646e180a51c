import type { TextRest } from './textLines.ts';

/** Source lines with their numbers, as a model reads them: `12→text`. A break at the end begins no line. */
export function numberedLines(text: string, firstLine: number): string {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines.map((line, index) => `${firstLine + index}→${line}`).join('\n');
}

/** The parts that are there, one below the other. */
export function joinTexts(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** How `read_file` is told where to go on. */
export function goOnAt({ line, character }: TextRest): string {
  return character === undefined ? `startLine ${line}` : `startLine ${line} and startCharacter ${character}`;
}
