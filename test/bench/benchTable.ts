import { isReached, type BenchRow } from './rows.ts';

/** What out/bench.json holds. */
export interface BenchResult {
  /** The day, as ISO 8601 has it. */
  readonly date: string;
  readonly command: string;
  /** Versions and the machine, in a few words. */
  readonly on: string;
  readonly rows: readonly BenchRow[];
}

const startMark = '<!-- figures: written by `npm run bench -- --readme` from out/bench.json; changes here are overwritten -->';
const endMark = '<!-- end of the figures -->';

/** For a terminal: a line for each row, the goal and whether it is reached beside the figure. */
export function tableText(rows: readonly BenchRow[]): string {
  const cells = [['what', 'measured', 'spread', 'goal', 'reached', 'beside'], ...rows.map(cellsOf)];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** The page with the table of this run where the last one stood. */
export function withFigures(page: string, result: BenchResult): string {
  const start = page.indexOf(startMark);
  const end = page.indexOf(endMark);
  if (start < 0 || end < start) {
    throw new Error('The page has lost the marks of its figures.');
  }
  return `${page.slice(0, start)}${startMark}\n\n${markdown(result)}\n\n${page.slice(end)}`;
}

function markdown({ date, command, on, rows }: BenchResult): string {
  const missed = rows.filter((row) => isReached(row) === false).length;
  const goals = rows.filter(({ goal }) => goal !== undefined).length;
  const lines = rows.filter(({ isInReadme }) => isInReadme === true).map((row) => `| ${cellsOf(row).map(escaped).join(' | ')} |`);
  return [
    `\`${command}\` on ${date}, ${on}: ${goals - missed} of ${goals} goals reached. The most telling ones; the command prints all.`,
    '',
    '| what | measured | spread | goal | reached | beside |',
    '| --- | ---: | ---: | ---: | --- | --- |',
    ...lines,
  ].join('\n');
}

function cellsOf(row: BenchRow): string[] {
  const { what, measured, spread, unit, goal, beside = '' } = row;
  const range = spread === undefined ? '' : `${figure(spread[0], unit)}–${figure(spread[1], unit)}`;
  const wanted = goal === undefined ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
  const reached = isReached(row);
  return [
    what,
    `${figure(measured, unit)} ${unit}`.trim(),
    range,
    wanted.trim(),
    reached === undefined ? '' : reached ? 'yes' : 'no',
    beside,
  ];
}

function figure(value: number, unit: BenchRow['unit']): string {
  if (unit === '×') {
    return value.toFixed(2);
  }
  return value.toFixed(unit === '%' || Math.abs(value) >= 100 ? 0 : unit === 'MB' ? 2 : 1);
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
