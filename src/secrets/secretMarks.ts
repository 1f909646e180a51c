// secrets/: what a secret looks like and how it is hidden: names, values, places in a text, marks. Pure; the one home for it.

/** Stands in a text in the place of a secret that was taken out. Clients and models read it, so it is part of what is published. */
export const secretMark = '[redacted]';

/** Stands for a secret where a person is shown a server's definition; it is no word of any language. */
export const hiddenMark = '•••';

/**
 * Stands for each single character that is withheld, where places in the text have to keep their numbers. Unicode gives this
 * code to no text, so nobody finds what it stands for by looking for it.
 */
export const hiddenCharacter = '\uFFFF';

/** Where a secret stands in a text. */
export interface SecretPlace {
  readonly from: number;
  readonly to: number;
}

/** Whether anything between these places is withheld; for an empty range, whether it lies inside of something withheld. */
export function touchesHidden(shown: string, start: number, end: number): boolean {
  if (start === end) {
    return shown[start - 1] === hiddenCharacter && shown[start] === hiddenCharacter;
  }
  const at = shown.indexOf(hiddenCharacter, start);
  return at >= 0 && at < end;
}

/**
 * Whether `text` repeats what a client sees of another text and fills in each place that is withheld from it: then it is a
 * guess. Only what the client sees decides, so that the answer is the same for a right guess and a wrong one.
 */
export function isGuess(text: string, shown: string): boolean {
  if (text.length !== shown.length || !shown.includes(hiddenCharacter)) {
    return false;
  }
  let start = 0;
  while (start < shown.length) {
    const hidden = shown.indexOf(hiddenCharacter, start);
    const end = hidden < 0 ? shown.length : hidden;
    if (text.slice(start, end) !== shown.slice(start, end)) {
      return false;
    }
    start = end;
    while (shown[start] === hiddenCharacter) {
      start += 1;
    }
  }
  return true;
}

/** Where a text that is known to be a secret stands in another text. */
export interface KnownPlace {
  readonly from: number;
  readonly secret: string;
}

/**
 * Finds known secrets in a text, apart from each other and in the order of the text. It takes one pass, because there may be
 * thousands of secrets, and a question's card looks for them with every key that is pressed.
 */
export function knownPlaces(secrets: ReadonlySet<string>, text: string): readonly KnownPlace[] {
  // Not as arguments of one call: a file may hold more secrets than a call takes.
  const start = [...secrets].reduce((least, { length }) => Math.min(least, length), 4);
  if (secrets.size === 0 || start === 0) {
    return [];
  }
  const starts = new Set([...secrets].map((secret) => secret.slice(0, start)));
  const lengths = [...new Set([...secrets].map(({ length }) => length))].sort((one, other) => other - one);
  const places: KnownPlace[] = [];
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

export function replacePlaces(text: string, places: readonly KnownPlace[], mark: string): string {
  let end = 0;
  const pieces = places.map(({ from, secret }) => {
    const piece = text.slice(end, from) + mark;
    end = from + secret.length;
    return piece;
  });
  return pieces.join('') + text.slice(end);
}
