import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type DocumentKind, rangeOf, serversIn, treeWithFaults } from './documents.ts';

/** Where the name of a server stands in a text. */
export interface PlacedServer {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface WholeText {
  readonly text: string;
  readonly places: readonly PlacedServer[];
}

/**
 * The servers of each document, for what stands above them. While somebody types, a bracket that is not closed yet swallows all
 * that comes after it: servers of the last whole text stay, where the typing has not touched their names, so that the lines below
 * do not jump with every key.
 */
export class SteadyServers {
  readonly #whole = new Map<string, WholeText>();

  placesIn(document: TextDocument, kind: DocumentKind): readonly PlacedServer[] {
    const text = document.getText();
    const { root, hasFaults } = treeWithFaults(text);
    const written = (root === undefined ? [] : serversIn(root, kind)).filter(({ valueNode }) => valueNode?.type === 'object');
    const places = written.map(({ name, keyNode }) => ({ name, ...rangeOf(keyNode) }));
    if (!hasFaults) {
      this.#whole.set(document.uri, { text, places });
      return places;
    }
    const known = new Set(places.map(({ start }) => start));
    const stayed = this.#stayed(document.uri, text).filter(({ start }) => !known.has(start));
    return [...places, ...stayed].sort((one, other) => one.start - other.start);
  }

  forget(uri: string): void {
    this.#whole.delete(uri);
  }

  /** The servers of the last whole text whose names stand in the part before or in the part after what has changed since. */
  #stayed(uri: string, text: string): readonly PlacedServer[] {
    const whole = this.#whole.get(uri);
    if (whole === undefined || text === '') {
      return [];
    }
    const before = sameFromStart(whole.text, text);
    const after = whole.text.length - sameFromEnd(whole.text, text);
    const by = text.length - whole.text.length;
    return whole.places.flatMap(({ name, start, end }) => {
      if (end <= before) {
        return [{ name, start, end }];
      }
      return start >= after ? [{ name, start: start + by, end: end + by }] : [];
    });
  }
}

/** How many characters two texts have in common, from the start on. */
function sameFromStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.charCodeAt(count) === other.charCodeAt(count)) {
    count += 1;
  }
  return count;
}

/** How many characters two texts have in common, from the end back. */
function sameFromEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.charCodeAt(one.length - 1 - count) === other.charCodeAt(other.length - 1 - count)) {
    count += 1;
  }
  return count;
}
