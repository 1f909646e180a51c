import { createHmac } from 'node:crypto';
import type * as vscode from 'vscode';
import { Slices } from '../../base/slices.ts';

/**
 * Versions of texts: equal for equal texts, open or not, today and after a restart. Keyed, because a text may hold what is
 * withheld from the client that gets its version, and a plain hash would let it try out guesses.
 */
export class TextVersions {
  readonly #key: string;
  readonly #known = new WeakMap<vscode.TextDocument, { readonly version: number; readonly hash: string }>();

  constructor(key: string) {
    this.#key = key;
  }

  /** The version of a text as VS Code would hold it: with the same end for all lines, and without a byte order mark. */
  ofText(text: string): string {
    const hash = new TextHash(this.#key, text);
    for (const piece of piecesOf(text)) {
      hash.add(piece);
    }
    return hash.end();
  }

  /** The version of a text that may be long. It is hashed in slices, between which other work runs. */
  async ofLongText(text: string): Promise<string> {
    const slices = new Slices();
    const hash = new TextHash(this.#key, text);
    for (const piece of piecesOf(text)) {
      hash.add(piece);
      await slices.pauseIfUsedUp();
    }
    return hash.end();
  }

  ofBytes(bytes: Uint8Array): string {
    return createHmac('sha256', this.#key).update(bytes).digest('base64url').slice(0, 22);
  }

  ofDocument(document: vscode.TextDocument): string {
    const known = this.#known.get(document);
    if (known?.version === document.version) {
      return known.hash;
    }
    const hash = this.ofText(document.getText());
    this.#known.set(document, { version: document.version, hash });
    return hash;
  }
}

/** About as many characters as can be hashed in one slice of time. */
const stepLength = 256 * 1024;

const oneThing = /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)$/;

/** The text in pieces, without a byte order mark. Characters and line ends stay whole. */
function* piecesOf(text: string): Generator<string> {
  for (let from = text.startsWith('\uFEFF') ? 1 : 0; from < text.length;) {
    const most = from + stepLength;
    const to = oneThing.test(text.slice(most - 1, most + 1)) ? most + 1 : most;
    yield text.slice(from, to);
    from = to;
  }
}

/** The hash of one text, piece by piece. */
class TextHash {
  readonly #hash: ReturnType<typeof createHmac>;
  readonly #isPlain: boolean;
  #withCr = 0;
  #ends = 0;

  constructor(key: string, text: string) {
    this.#hash = createHmac('sha256', key);
    this.#isPlain = !text.includes('\r');
  }

  add(piece: string): void {
    if (this.#isPlain) {
      this.#hash.update(piece);
      return;
    }
    for (const { 0: end } of piece.matchAll(/\r\n?|\n/g)) {
      this.#ends += 1;
      this.#withCr += end === '\n' ? 0 : 1;
    }
    this.#hash.update(piece.replace(/\r\n?/g, '\n'));
  }

  /** Ends the hash with the kind of line end: VS Code ends all lines in CRLF when most line ends have a CR, even a lone one. */
  end(): string {
    const endsInCrlf = this.#withCr > this.#ends / 2;
    return this.#hash
      .update(endsInCrlf ? '\0\r\n' : '')
      .digest('base64url')
      .slice(0, 22);
  }
}
