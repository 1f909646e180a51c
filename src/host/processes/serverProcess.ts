import type { Event } from '../../base/events.ts';

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** On Windows: whether the arguments are written as the program reads them, and get no quotation marks any more. */
  readonly isVerbatim?: boolean | undefined;
  /** A text that the program reads from its file descriptor 3. */
  readonly furtherInput?: string | undefined;
}

export type ChildExit =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'stopped'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'lineTooLong'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'supervisorEnded'; readonly lastErrorLines: readonly string[] };

/** Lines that a server wrote to its standard error. `dropped` counts lines that came too fast to be passed on. */
export interface ErrorLines {
  readonly lines: readonly string[];
  readonly dropped: number;
}

/** The process of a local server, as its transport sees it. */
export interface ServerProcess {
  /** Fires for each line of standard output, without its line break. */
  readonly onLine: Event<Buffer>;
  readonly onErrorLines: Event<ErrorLines>;
  /** Resolves to the process id; rejects when the process cannot be started. */
  readonly started: Promise<number>;
  /** Resolves when the process itself is gone. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when the process and everything it started are gone. */
  readonly ended: Promise<void>;
  /** Resolves when the server keeps up with reading its input. */
  write(text: string): Promise<void>;
  /** Closes the input, waits, asks the process to end, waits, and then kills it with everything it started. */
  stop(): Promise<void>;
}
