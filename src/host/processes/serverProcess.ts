import type { Event } from '../../base/events.ts';

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export type ChildExit =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'stopped'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'lineTooLong'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'supervisorEnded'; readonly lastErrorLines: readonly string[] };

/** `dropped` lines came too fast to be passed on. */
export interface ErrorLines {
  readonly lines: readonly string[];
  readonly dropped: number;
}

/** A local server as its transport sees it. */
export interface ServerProcess {
  /** One line of its standard output, without its line break. */
  readonly onLine: Event<Buffer>;
  readonly onErrorLines: Event<ErrorLines>;
  /** Resolves to the process id; rejects when it cannot be started. */
  readonly started: Promise<number>;
  /** The process itself is gone. */
  readonly exited: Promise<ChildExit>;
  /** It and everything it started are gone. */
  readonly ended: Promise<void>;
  /** Resolves when the server keeps up with what it is sent. */
  write(text: string): Promise<void>;
  /** Closes its input, waits, asks it to end, waits, ends it with everything it started. */
  stop(): Promise<void>;
}
