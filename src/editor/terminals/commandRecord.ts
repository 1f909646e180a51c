import { toPlainText } from '../../base/terminalText.ts';

/** Of one command's raw output; the end is what tells how it went. */
const keptCharacters = 256 * 1024;

/** One command in a terminal, while it runs and after. */
export class CommandRecord {
  readonly terminalId: string;
  readonly startedAt = Date.now();
  command: string;
  readonly cwd: { readonly clientPath: string; readonly path: string | undefined } | undefined;
  exitCode: number | undefined;
  isRunning = true;
  endedAt: number | undefined;
  #raw = '';
  #isCut = false;
  /** What comes next belongs to a line whose beginning is not there any more. */
  #isInsideLine = false;
  #plain: string | undefined;

  constructor(terminalId: string, command: string, cwd: CommandRecord['cwd']) {
    this.terminalId = terminalId;
    this.command = command;
    this.cwd = cwd;
  }

  append(raw: string): void {
    this.#plain = undefined;
    const all = this.#raw + (this.#isInsideLine ? fromLineStart(raw) : raw);
    this.#isInsideLine &&= !raw.includes('\n');
    if (all.length > keptCharacters * 2) {
      this.#isCut = true;
      const kept = all.slice(-keptCharacters);
      this.#isInsideLine = !kept.includes('\n');
      this.#raw = fromLineStart(kept);
    } else {
      this.#raw = all;
    }
  }

  get isCut(): boolean {
    return this.#isCut || this.#raw.length > keptCharacters;
  }

  get output(): string {
    this.#plain ??= toPlainText(this.#raw.length > keptCharacters ? fromLineStart(this.#raw.slice(-keptCharacters)) : this.#raw).trimEnd();
    return this.#plain;
  }

  /** Kept size, for the history's own limit. */
  get size(): number {
    return this.#raw.length + this.command.length;
  }
}

/** A cut inside a control sequence or a secret would leave half of it as text. */
function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  return lineEnd === -1 ? '' : text.slice(lineEnd + 1);
}
