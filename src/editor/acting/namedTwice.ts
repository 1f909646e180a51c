/** The places that one change is about: where its file is, and where it goes. */
export interface NamedPlaces {
  readonly path: string;
  readonly places: readonly string[];
}

/** The path of the first change that is about a place of an earlier one: neither knows what the other makes of it. */
export function firstNamedTwice(changes: readonly NamedPlaces[]): string | undefined {
  const taken = new Set<string>();
  for (const { path, places } of changes) {
    if (places.some((place) => taken.has(place))) {
      return path;
    }
    places.forEach((place) => taken.add(place));
  }
  return undefined;
}
