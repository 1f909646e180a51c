import { appendFileSync } from 'node:fs';

/** One line of the table that `npm run bench` prints at its end, and of out/bench.json. */
export interface BenchRow {
  /** What is measured, for people. */
  readonly what: string;
  readonly measured: number;
  readonly unit: '%' | '×' | 'ms' | 'KB' | 'MB' | '';
  /** The least and the most over the rounds. */
  readonly spread?: readonly [number, number] | undefined;
  /** Left out: a figure to know the others by. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number } | undefined;
  /** What it was measured beside, with its own figure. */
  readonly beside?: string | undefined;
  /** One of the few that README shows; all are in out/bench.json. */
  readonly isInReadme?: boolean | undefined;
}

/** The file that gathers the rows of all processes of one run, a line of JSON each. */
export const rowsFileVariable = 'DUPLEX_BENCH_ROWS';

/** From any process of the run. By itself a benchmark only prints. */
export function reportRows(rows: readonly BenchRow[]): void {
  const file = process.env[rowsFileVariable];
  if (file !== undefined) {
    appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

export function isReached({ goal, measured }: BenchRow): boolean | undefined {
  if (goal === undefined) {
    return undefined;
  }
  return 'atLeast' in goal ? measured >= goal.atLeast : measured <= goal.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of what was measured round by round, with the least and the most. */
export function overRounds(values: readonly number[]): Pick<BenchRow, 'measured' | 'spread'> {
  return { measured: median(values), spread: [Math.min(...values), Math.max(...values)] };
}
