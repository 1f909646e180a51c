import { registryError } from '../registryErrors.ts';

/** The most characters of the name of an entry; an archive with a longer one is refused. */
const maxNameLength = 400;
/** The most segments of the name of an entry; an archive with more is refused. */
const maxDepth = 40;
/** What no system or not every one takes in a name; the backslash and the colon lead elsewhere on Windows. */
const badCharacter = /[\u0000-\u001f\u007f<>:"|?*\\]/;
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/i;

/** The names of an archive that were taken so far. Each must mean the same place on every system, and no other entry's. */
export class ArchiveNames {
  readonly #taken = new Map<string, { readonly spelling: string; readonly isFolder: boolean }>();

  /** Takes the name of an entry and returns its segments. Throws for a name that would lead elsewhere, or to another entry. */
  take(name: string): readonly string[] {
    const isFolder = name.endsWith('/');
    const segments = (isFolder ? name.slice(0, -1) : name).split('/');
    if (name.length > maxNameLength || segments.length > maxDepth || !segments.every(isPlain)) {
      throw refused(name);
    }
    segments.slice(0, -1).forEach((_, index) => this.#note(name, segments.slice(0, index + 1), true));
    this.#note(name, segments, isFolder);
    return segments;
  }

  #note(name: string, segments: readonly string[], isFolder: boolean): void {
    const spelling = segments.join('/');
    const key = spelling.normalize('NFKC').toLowerCase();
    const taken = this.#taken.get(key);
    // A folder may be named again, in the same letters; a file is there once.
    if (taken !== undefined && (!taken.isFolder || !isFolder || taken.spelling !== spelling)) {
      throw registryError('registry.bundleTwice', { name: name.slice(0, 200) });
    }
    this.#taken.set(key, { spelling, isFolder });
  }
}

function isPlain(segment: string): boolean {
  return segment !== '' && !/[. ]$/.test(segment) && !badCharacter.test(segment) && !deviceName.test(segment);
}

function refused(name: string): Error {
  return registryError('registry.bundlePath', { name: name.slice(0, 200) });
}
