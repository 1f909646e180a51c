/**
 * `*` stands for any characters, `?` for one. Walks both texts once instead of making a regular expression: a repository
 * writes these patterns, and `*a*a*a*b` as an expression takes for ever.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let at = 0;
  let patternAt = 0;
  let star = -1;
  let starText = 0;
  while (at < text.length) {
    const expected = pattern[patternAt];
    if (expected === '*') {
      star = patternAt;
      starText = at;
      patternAt += 1;
    } else if (expected === '?' || (expected !== undefined && expected === text[at])) {
      at += 1;
      patternAt += 1;
    } else if (star !== -1) {
      starText += 1;
      at = starText;
      patternAt = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(patternAt));
}
