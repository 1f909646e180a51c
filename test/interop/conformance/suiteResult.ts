export type Revision = '2025-11-25' | '2026-07-28';

export interface SuiteResult {
  /** Each scenario that counts for the revision, and whether it passed. */
  readonly required: ReadonlyMap<string, boolean>;
  /** Those that are run and never count: extensions, and what came after the revision. */
  readonly others: ReadonlyMap<string, boolean>;
  readonly output: string;
}

/** The suite prints `✓ NAME: …` for each scenario, and again `✗ NAME (REASON)` for each that does not count. */
export function readSummary(output: string): SuiteResult {
  const summary = output.slice(Math.max(0, output.search(/=== (SUITE )?SUMMARY ===/)));
  const others = new Map([...summary.matchAll(/^\s*([✓✗]) (\S+) \([^)]*\)$/gm)].map(([, mark, name = '']) => [name, mark === '✓']));
  const all = [...summary.matchAll(/^\s*([✓✗]) (\S+): /gm)].map(([, mark, name = '']): [string, boolean] => [name, mark === '✓']);
  return { required: new Map(all.filter(([name]) => !others.has(name))), others, output };
}
