/** How many lines came and went; neither for what is not text. */
export interface LineCounts {
  readonly addedLines?: number;
  readonly removedLines?: number;
}

/** What `git diff --numstat -z` says, by file: `1\t2\tfile\0`, of a rename `1\t2\t\0old\0new\0`, of a binary file `-\t-\t…`. */
export function parseNumstat(output: string): Map<string, LineCounts> {
  const fields = output.split('\0');
  const counts = new Map<string, LineCounts>();
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const [added = '', removed = '', name = ''] = fields[index]?.split('\t') ?? [];
    let file = name;
    if (name === '') {
      file = fields[index + 2] ?? '';
      index += 2;
    }
    counts.set(file, added === '-' ? {} : { addedLines: Number(added), removedLines: Number(removed) });
  }
  return counts;
}

/** Those of a new file, as Git would count them. */
export function countNewLines(text: string): LineCounts {
  const breaks = text.split('\n').length - 1;
  return { addedLines: text === '' || text.endsWith('\n') ? breaks : breaks + 1, removedLines: 0 };
}
