/** Counts that stand in words, such as “2 failed | 1 passed” or “1 failed, 3 passed, 4 total”; zero for what is not there. */
export function countsIn(words: string): (name: string) => number {
  const counts = new Map<string, number>();
  for (const [, count, name = ''] of words.matchAll(/(?<!\d)(\d+) ([a-z]+)/g)) {
    if (!counts.has(name)) {
      counts.set(name, Number(count));
    }
  }
  return (name) => counts.get(name) ?? 0;
}
