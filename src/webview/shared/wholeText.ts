import { revealInvisible } from '../../base/visibleText.ts';
import { formatNumber } from './formats.ts';
import { t } from './localize.ts';

/** The most empty lines in a row that are shown as they are; of more, their number. */
const maxBlankLines = 3;
const longSpace = /[ \t]{25,}/g;

/**
 * Shows all of a stranger's text: invisible characters are named, and runs of empty lines or spaces that would push the rest out
 * of view are replaced by their count.
 */
export function wholeText(text: string): string {
  const shown: string[] = [];
  let blank: string[] = [];
  for (const line of [...revealInvisible(text).split('\n'), undefined]) {
    if (line?.trim() === '') {
      blank.push(line);
      continue;
    }
    shown.push(...(blank.length > maxBlankLines ? [`⟨${t('{0} empty lines', grouped(blank.length))}⟩`] : blank.map(countSpaces)));
    blank = [];
    if (line !== undefined) {
      shown.push(countSpaces(line));
    }
  }
  return shown.join('\n');
}

function countSpaces(line: string): string {
  return line.replace(longSpace, (run) => ` ⟨${nameOf(run)}⟩ `);
}

function nameOf(run: string): string {
  const count = grouped(run.length);
  if (!run.includes('\t')) {
    return t('{0} spaces', count);
  }
  return run.includes(' ') ? t('{0} spaces and tabs', count) : t('{0} tabs', count);
}

function grouped(count: number): string {
  return formatNumber(count);
}
