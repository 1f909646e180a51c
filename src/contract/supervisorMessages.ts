import { isJsonObject } from '../base/json.ts';

/**
 * A message of the extension host to its supervisor. Both talk over one pair of pipes, with a JSON text per line. The host starts
 * servers and owns their pipes; the supervisor knows of them, so that their process trees end when the host is gone. Messages are
 * checked by hand: a schema library would be most of a process that every window starts.
 */
export type ToSupervisor = { readonly child: string } & (
  | {
      readonly type: 'expect';
      /** `NAME=value` in the environment of the child and of everything it starts. It is told before the child is started. */
      readonly marker: string;
    }
  | { readonly type: 'watch'; readonly pid: number }
  /** The child could not be started. */
  | { readonly type: 'forget' }
  /** The process itself is gone; what it started may not be. */
  | { readonly type: 'exited' }
  | { readonly type: 'stop' }
);

/** A message of the supervisor to the extension host. */
export type FromSupervisor = { readonly child: string } & (
  | /** The supervisor knows all that the child has started, so the child may be told to end now. */
    { readonly type: 'closeInput' }
  /** The process and all it started are gone; `survivors` counts those that could not be ended. */
  | { readonly type: 'ended'; readonly survivors: number }
);

/** The longest line that is read; no message comes near it. */
export const maxSupervisorLine = 10_000;
/** The longest id or marker of a child. */
const maxNameLength = 200;

export function encodeMessage(message: ToSupervisor | FromSupervisor): string {
  return `${JSON.stringify(message)}\n`;
}

/** Reads a message to the supervisor; throws when the line is none. */
export function readToSupervisor(line: string): ToSupervisor {
  const { type, child, marker, pid } = readMessage(line);
  switch (type) {
    case 'expect':
      return { type, child: name(child), marker: name(marker) };
    case 'watch':
      return { type, child: name(child), pid: count(pid, 1) };
    case 'forget':
    case 'exited':
    case 'stop':
      return { type, child: name(child) };
    default:
      throw notOurs();
  }
}

/** Reads a message from the supervisor; throws when the line is none. */
export function readFromSupervisor(line: string): FromSupervisor {
  const { type, child, survivors } = readMessage(line);
  switch (type) {
    case 'closeInput':
      return { type, child: name(child) };
    case 'ended':
      return { type, child: name(child), survivors: count(survivors, 0) };
    default:
      throw notOurs();
  }
}

function readMessage(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) {
    throw notOurs();
  }
  return value;
}

function name(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > maxNameLength) {
    throw notOurs();
  }
  return value;
}

function count(value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw notOurs();
  }
  return value;
}

function notOurs(): RangeError {
  return new RangeError('The pipe to the supervisor carries something else than its messages.');
}
