/**
 * How well `query` fits `text`: all of its characters occur in order. Larger is better; undefined when it does not fit. Beginnings
 * of words, runs and the last part of a path count more. One pass forward and one back: bounded by the length of the text.
 */
export function fuzzyScore(query: string, text: string): number | undefined {
  if (query === '') {
    return 0;
  }
  const wanted = query.toLowerCase();
  const lower = text.slice(0, maxLength).toLowerCase();
  const nameStart = lower.lastIndexOf('/') + 1;
  const whole = lower.indexOf(wanted, nameStart);
  if (whole >= 0) {
    return 1_000 + (whole === nameStart ? 200 : isWordStart(text, whole) ? 100 : 0) - shortfall(lower, wanted);
  }
  const anywhere = lower.indexOf(wanted);
  if (anywhere >= 0) {
    return 600 + (isWordStart(text, anywhere) ? 100 : 0) - shortfall(lower, wanted);
  }
  const places = placesOf(wanted, lower);
  return places === undefined ? undefined : scoreOf(places, text, nameStart) - shortfall(lower, wanted);
}

/** The best first; equal ones stay in their order. */
export function bestMatches<T>(items: readonly T[], query: string, textsOf: (item: T) => readonly string[], limit: number): readonly T[] {
  const scored: { readonly item: T; readonly score: number }[] = [];
  for (const item of items) {
    const scores = textsOf(item).flatMap((text) => fuzzyScore(query, text) ?? []);
    if (scores.length > 0) {
      scored.push({ item, score: Math.max(...scores) });
    }
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ item }) => item);
}

const maxLength = 500;

/** From the end, so that a name wins over the folders before it. */
function placesOf(wanted: string, lower: string): readonly number[] | undefined {
  const places: number[] = [];
  let at = lower.length;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    at = at === 0 ? -1 : lower.lastIndexOf(wanted.charAt(index), at - 1);
    if (at < 0) {
      return undefined;
    }
    places.unshift(at);
  }
  return places;
}

function scoreOf(places: readonly number[], text: string, nameStart: number): number {
  return places.reduce((sum, at, index) => {
    const isRun = index > 0 && places[index - 1] === at - 1;
    return sum + (isRun ? 12 : 0) + (isWordStart(text, at) ? 10 : 0) + (at >= nameStart ? 4 : 0);
  }, 0);
}

function isWordStart(text: string, at: number): boolean {
  const [before, here] = [text.charAt(at - 1), text.charAt(at)];
  return at === 0 || /[^\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(here) && !/\p{Lu}/u.test(before));
}

/** Of two that fit alike, the shorter one. */
function shortfall(text: string, query: string): number {
  return Math.min(50, (text.length - query.length) / 4);
}
