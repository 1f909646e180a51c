import { createHmac } from 'node:crypto';
import type * as vscode from 'vscode';

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

  /** As the editor would hold it: it gives all lines the same end, and takes a byte order mark away. */
  ofText(text: string): string {
    const lines = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const isPlain = !lines.includes('\r');
    const hash = createHmac('sha256', this.#key).update(isPlain ? lines : lines.replace(/\r\n?/g, '\n'));
    return hash
      .update(isPlain || !endsInCrlf(lines) ? '' : '\0\r\n')
      .digest('base64url')
      .slice(0, 22);
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

/** Whether the editor would end all lines in CRLF: when most line ends have a CR, be it alone. */
function endsInCrlf(text: string): boolean {
  let withCr = 0;
  let all = 0;
  for (const { 0: end } of text.matchAll(/\r\n?|\n/g)) {
    all += 1;
    withCr += end === '\n' ? 0 : 1;
  }
  return withCr > all / 2;
}
