/** Where texts that are known to be secrets stand in another text: apart from each other, in its order. */
interface Place {
  readonly from: number;
  readonly secret: string;
}

/** In one pass: there may be thousands of them, and a card looks with every key that is pressed. Pure. */
export function placesOf(secrets: ReadonlySet<string>, text: string): readonly Place[] {
  const start = Math.min(4, ...[...secrets].map(({ length }) => length));
  if (secrets.size === 0 || start === 0) {
    return [];
  }
  const starts = new Set([...secrets].map((secret) => secret.slice(0, start)));
  const lengths = [...new Set([...secrets].map(({ length }) => length))].sort((one, other) => other - one);
  const places: Place[] = [];
  let from = 0;
  while (from <= text.length - start) {
    const at = from;
    const length = starts.has(text.slice(at, at + start)) ? lengths.find((each) => secrets.has(text.slice(at, at + each))) : undefined;
    if (length !== undefined) {
      places.push({ from, secret: text.slice(from, from + length) });
    }
    from += length ?? 1;
  }
  return places;
}

/** Pure. */
export function replacePlaces(text: string, places: readonly Place[], mark: string): string {
  let end = 0;
  const pieces = places.map(({ from, secret }) => {
    const piece = text.slice(end, from) + mark;
    end = from + secret.length;
    return piece;
  });
  return pieces.join('') + text.slice(end);
}
