/** A heading of a report and the lines that belong to it. */
export interface Block<T> {
  readonly heading: T;
  readonly below: readonly string[];
}

/** In one pass: a block goes on for as long as `isBelow` says so; only other lines can be headings. */
export function blocksIn<T extends object>(
  lines: readonly string[],
  headingOf: (line: string, previous: string) => T | undefined,
  isBelow: (line: string) => boolean,
): Block<T>[] {
  const blocks: Block<T>[] = [];
  let below: string[] | undefined;
  let previous = '';
  for (const line of lines) {
    if (below !== undefined && isBelow(line)) {
      below.push(line);
    } else {
      const heading = headingOf(line, previous);
      below = undefined;
      if (heading !== undefined) {
        below = [];
        blocks.push({ heading, below });
      }
    }
    previous = line;
  }
  return blocks;
}

/** For reports that indent everything but their headings. */
export function isIndentedOrEmpty(line: string): boolean {
  return /^(?:\s|$)/.test(line);
}
