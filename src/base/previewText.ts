const previewCharacters = 300;

/** The line, without the space around it; of a long one the part around the match. */
export function previewOf(line: string, start: number, end: number): string {
  if (line.length <= previewCharacters) {
    return line.trim();
  }
  const room = Math.max(0, previewCharacters - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), line.length - previewCharacters));
  const to = Math.min(line.length, from + previewCharacters);
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`;
}
