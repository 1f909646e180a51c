import type { MatchedLine } from '../contract/searchMessages.ts';

/** Of one text; then it is cut. */
const maxMatches = 200_000;

/** A line's text once, however often it matches. An empty match is no match. */
export function matchLines(text: string, expression: RegExp, maxLines: number): MatchedLine[] {
  const matched: MatchedLine[] = [];
  let left = maxMatches;
  let start = 0;
  for (let line = 1; start <= text.length && matched.length < maxLines && left > 0; line += 1) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const own = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    const spans: number[] = [];
    for (const match of own.matchAll(expression)) {
      if (match[0] !== '' && left > 0) {
        spans.push(match.index, match.index + match[0].length);
        left -= 1;
      }
    }
    if (spans.length > 0) {
      matched.push({ line, text: own, spans });
    }
    start = end + 1;
  }
  return matched;
}
