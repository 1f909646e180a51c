import { isJsonObject } from '../base/json.ts';

/**
 * What the extension host and its supervisor say to each other over one pair of pipes: a JSON text per line. The host starts
 * servers and owns their pipes; the supervisor knows of them, so that their trees end when the host is gone. Checked by hand:
 * a schema library would be most of a process that every window starts.
 */
export type ToSupervisor = { readonly child: string } & (
  | {
      readonly type: 'expect';
      /** `NAME=value`: told before it is started. Everything it starts has that in its environment. */
      readonly marker: string;
    }
  | { readonly type: 'watch'; readonly pid: number }
  /** It could not be started. */
  | { readonly type: 'forget' }
  /** The process itself is gone; what it left behind is not. */
  | { readonly type: 'exited' }
  | { readonly type: 'stop' }
);

export type FromSupervisor = { readonly child: string } & (
  | /** Its family has been looked at: now it may be told to end. */
    { readonly type: 'closeInput' }
  /** The process and all it started are gone; `survivors` counts those that could not be ended. */
  | { readonly type: 'ended'; readonly survivors: number }
);

/** Far more than the longest message. */
export const maxSupervisorLine = 10_000;
const maxNameLength = 200;

export function encodeMessage(message: ToSupervisor | FromSupervisor): string {
  return `${JSON.stringify(message)}\n`;
}

/** Throws when it is none. */
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

/** Throws when it is none. */
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
