import type { CommandRecord } from './commandRecord.ts';

const perTerminal = 50;
const charactersPerTerminal = 2 * 1024 * 1024;
const closedTerminals = 5;

/** The last commands of each terminal; of closed terminals only the latest few stay. */
export class CommandHistory {
  readonly #byTerminal = new Map<string, CommandRecord[]>();
  readonly #closed: string[] = [];

  add(record: CommandRecord): void {
    const records = this.#byTerminal.get(record.terminalId) ?? [];
    records.push(record);
    this.#byTerminal.set(record.terminalId, records);
    this.trim(record.terminalId);
  }

  /** Keeps to the limits; the latest command always stays. */
  trim(terminalId: string): void {
    const records = this.#byTerminal.get(terminalId) ?? [];
    let size = records.reduce((sum, record) => sum + record.size, 0);
    while (records.length > perTerminal || (records.length > 1 && size > charactersPerTerminal)) {
      size -= records.shift()?.size ?? 0;
    }
  }

  close(terminalId: string): void {
    this.#closed.push(terminalId);
    while (this.#closed.length > closedTerminals) {
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
