import { toPlainText } from '../../base/terminalText.ts';

/** The most commands that are kept of one terminal. */
const maxPerTerminal = 50;
/** The most characters that are kept of one terminal; the latest command stays, however long it is. */
const maxCharactersPerTerminal = 2 * 1024 * 1024;
/** The most closed terminals whose commands are kept. */
const maxClosedTerminals = 5;

/** The last commands of each terminal; of closed terminals only the latest few are kept. */
export class CommandHistory {
  readonly #byTerminal = new Map<string, CommandRecord[]>();
  readonly #closed: string[] = [];

  add(record: CommandRecord): void {
    const records = this.#byTerminal.get(record.terminalId) ?? [];
    records.push(record);
    this.#byTerminal.set(record.terminalId, records);
    this.trim(record.terminalId);
  }

  /** Drops the oldest commands beyond the limits; the latest command always stays. */
  trim(terminalId: string): void {
    const records = this.#byTerminal.get(terminalId) ?? [];
    let size = records.reduce((sum, record) => sum + record.size, 0);
    while (records.length > maxPerTerminal || (records.length > 1 && size > maxCharactersPerTerminal)) {
      size -= records.shift()?.size ?? 0;
    }
  }

  close(terminalId: string): void {
    this.#closed.push(terminalId);
    while (this.#closed.length > maxClosedTerminals) {
      this.#byTerminal.delete(this.#closed.shift() ?? '');
    }
  }

  has(terminalId: string): boolean {
    return (this.#byTerminal.get(terminalId)?.length ?? 0) > 0;
  }

  terminalIds(): string[] {
    return [...this.#byTerminal.keys()];
  }

  list(terminalId: string | undefined): CommandRecord[] {
    if (terminalId !== undefined) {
      return [...(this.#byTerminal.get(terminalId) ?? [])];
    }
    return [...this.#byTerminal.values()].flat().sort((a, b) => a.startedAt - b.startedAt);
  }
}

/** The most characters that are kept of one command's raw output. They are the last ones, because the end tells how it went. */
const maxKeptCharacters = 256 * 1024;

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
  #isHeard = false;
  #isCut = false;
  /** Whether the next output belongs to a line whose beginning is not there any more. */
  #isInsideLine = false;
  #plain: string | undefined;

  constructor(terminalId: string, command: string, cwd: CommandRecord['cwd']) {
    this.terminalId = terminalId;
    this.command = command;
    this.cwd = cwd;
  }

  /**
   * Whether VS Code passed on anything of this command. Even a command that prints nothing is heard by the mark of its beginning.
   * For a command that ends at once VS Code can deliver beginning, output and end together; its stream takes nothing before the
   * next microtask, so that whoever begins to read at the beginning gets none of it.
   */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  append(raw: string): void {
    this.#isHeard ||= raw !== '';
    this.#plain = undefined;
    const all = this.#raw + (this.#isInsideLine ? fromLineStart(raw) : raw);
    this.#isInsideLine &&= !raw.includes('\n');
    if (all.length > maxKeptCharacters * 2) {
      this.#isCut = true;
      const kept = all.slice(-maxKeptCharacters);
      this.#isInsideLine = !kept.includes('\n');
      this.#raw = fromLineStart(kept);
    } else {
      this.#raw = all;
    }
  }

  get isCut(): boolean {
    return this.#isCut || this.#raw.length > maxKeptCharacters;
  }

  get output(): string {
    this.#plain ??= toPlainText(
      this.#raw.length > maxKeptCharacters ? fromLineStart(this.#raw.slice(-maxKeptCharacters)) : this.#raw,
    ).trimEnd();
    return this.#plain;
  }

  /** The number of characters kept, for the limit of the history. */
  get size(): number {
    return this.#raw.length + this.command.length;
  }
}

/** The text from its first whole line on: a cut inside a control sequence or a secret would leave half of it as text. */
function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  return lineEnd === -1 ? '' : text.slice(lineEnd + 1);
}
