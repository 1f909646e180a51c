// debug/: the tools of the debugger, one file for each. This file has what they share: the stop that every answer which changes
// something carries, and the questions before it.
import * as z from 'zod';
import type { DebugCode } from '../../../access/clientApproval.ts';
import { ownerKey } from '../../../access/credentials.ts';
import type { DebugFrame, DebugStop, DebugVariable, FoundSession } from '../../../seen/ports/debugPort.ts';
import type { CallContext } from '../../catalog/catalog.ts';
import { clip, cutMiddle, fitItems, indented } from '../answers.ts';
import { numberedLines } from '../sourceText.ts';
import type { EditorCall } from '../tool.ts';

/** How long a call waits, at most, for a client that gets no progress: such clients give up after 30 seconds. */
const silentWaitMs = 20_000;
/** How often progress is reported while a call waits. */
const pulseMs = 5_000;
/** The most characters of a whole stop, unless the caller has room for less. */
const maxStopChars = 22_000;
/** The most characters of one value in a stop. */
const maxValueChars = 400;
/** The most characters of a name or a type in a stop. */
const maxNameChars = 150;
/** How many lines are shown before and after the one at which a program stands. */
const linesAround = 3;
/** Which part of a stop each of its members may take. */
const share = { reason: 0.05, exception: 0.1, lines: 0.1, stack: 0.2, changed: 0.3, output: 0.25 } as const;

const frame = z.object({ name: z.string(), path: z.string().optional(), line: z.int().optional() });
export const variable = z.object({ name: z.string(), type: z.string().optional(), value: z.string().optional() });
export const stack = z.array(frame).describe('Innermost first');

/** How a debug session stands: the same in every answer. */
export const stop = z.object({
  sessionId: z.string(),
  state: z.enum(['running', 'stopped', 'ended']).describe('running: the wait is over, the program is not'),
  reason: z.string(),
  exception: z.string().optional(),
  path: z.string().optional(),
  line: z.int().optional(),
  lines: z.string().optional().describe('Source around the line, numbered'),
  stack: stack.describe('Innermost first; at most 5'),
  changed: z.array(variable).describe('Variables that are new or changed since the last stop in this function'),
  output: z.string().describe('What is new'),
  exitCode: z.int().optional(),
});
export type ShownStop = z.input<typeof stop>;

export const sessionId = z.string().min(1).max(100).optional().describe('As list_debug has it; by default your last one');
/** The schema of how long, in ms, a call may wait for a stop. */
export const waitMs = z.int().min(0).max(600_000).default(10_000).describe('How long to wait for a stop');

/** Returns the key under which the sessions and breakpoints of this client are kept. */
export function ownerOf({ viewer }: Pick<CallContext, 'viewer'>): string {
  const { credential } = viewer;
  return ownerKey({ credentialId: credential.id, credentialKind: credential.kind, sessionId: viewer.sessionId });
}

/** How long the editor waits: as long as was asked for if the client is told of progress, and otherwise before it gives up. */
export function patience({ wantsProgress }: CallContext, wanted: number): number {
  return wantsProgress ? wanted : Math.min(wanted, silentWaitMs);
}

/** Reports progress, to a client that asked for it, until the work is done. */
export async function whileWaiting<T>(call: CallContext, message: string, work: Promise<T>): Promise<T> {
  let beats = 0;
  const pulse = call.wantsProgress ? setInterval(() => call.reportProgress((beats += 1), message), pulseMs) : undefined;
  try {
    return await work;
  } finally {
    clearInterval(pulse);
  }
}

/** Finds the session that is meant. One of the person's takes one question, which holds until the session ends. */
export async function usableSession(tool: string, id: string | undefined, { editor, call }: EditorCall): Promise<FoundSession> {
  const owner = ownerOf(call);
  const found = editor.debug.findSession(owner, id);
  if (!found.mayUse && !found.isEnded) {
    const what = { kind: 'debugSession', session: sessionLabel(found) } as const;
    await call.confirm({ tool, role: 'runner', what, offersSession: false });
    editor.debug.share(owner, found.id);
  }
  return found;
}

export function sessionLabel({ name, id }: FoundSession): string {
  return `${name} (${id})`;
}

/** Asks about code that the debugger would run; what is identical is asked about once, if the person wants that. */
export async function confirmCode(tool: string, code: readonly DebugCode[], session: string | undefined, call: CallContext): Promise<void> {
  if (code.length > 0) {
    const what = { kind: 'debugCode', ...(session !== undefined && { session }), code } as const;
    await call.confirm({ tool, role: 'runner', what, offersSession: true });
  }
}

/** The stop as a client gets it: with the source around its place, and within `most` characters. */
export async function shownStop(found: DebugStop, context: EditorCall, most = maxStopChars): Promise<ShownStop> {
  const { path, line, exception, exitCode } = found;
  const lines = path === undefined || line === undefined ? undefined : await linesAt(path, line, context);
  const room = (member: keyof typeof share): number => Math.floor(most * share[member]);
  const changed = found.changed.map((each) => shownVariable(each, maxValueChars));
  return {
    sessionId: found.sessionId,
    state: found.state,
    reason: clip(found.reason, room('reason')),
    ...(exception !== undefined && { exception: clip(exception, room('exception')) }),
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    ...(lines !== undefined && { lines: clip(lines, room('lines')) }),
    stack: shownFrames(found.stack, room('stack')),
    changed: [...fitItems(changed, room('changed'), variableText, 0)],
    output: cutMiddle(newOutput(found), room('output')),
    ...(exitCode !== undefined && { exitCode }),
  };
}

/** What is new to the client of all that the session and those that it opened wrote. */
export function newOutput({ output }: DebugStop): string {
  return output.map(({ kept, newFrom }) => kept.slice(newFrom)).join('');
}

/** The lines around a place, as this client may see them; nothing where the file cannot be read. */
async function linesAt(path: string, line: number, { editor, call }: EditorCall): Promise<string | undefined> {
  const first = Math.max(1, line - linesAround);
  try {
    const { text } = await editor.documents.read(path, call.signal, (whole) => partOf(whole, first, line + linesAround));
    return text === '' ? undefined : numberedLines(text, first);
  } catch {
    call.signal.throwIfAborted();
    return undefined;
  }
}

function partOf(whole: string, first: number, last: number): { readonly from: number; readonly to: number } {
  let from = 0;
  let at = 0;
  for (let line = 1; line <= last && at < whole.length; line += 1) {
    if (line === first) {
      from = at;
    }
    const end = whole.indexOf('\n', at);
    at = end < 0 ? whole.length : end + 1;
    if (line < first) {
      from = at;
    }
  }
  return { from, to: Math.max(from, at) };
}

/** The innermost frames that fit. */
export function shownFrames(frames: readonly DebugFrame[], most: number): z.input<typeof frame>[] {
  const shown = frames.map(({ name, path, line }) => ({
    name: clip(name, maxNameChars),
    ...(path !== undefined && { path, ...(line !== undefined && { line }) }),
  }));
  return [...fitItems(shown, most, frameText, 0)];
}

export function shownVariable({ name, type, value }: DebugVariable, most: number): z.input<typeof variable> {
  return {
    name: clip(name, maxNameChars),
    ...(type !== undefined && { type: clip(type, maxNameChars) }),
    ...(value !== undefined && { value: clip(value, most) }),
  };
}

/** The stop as compact text: one line for each fact. */
export function stopText(shown: ShownStop): string {
  const { path, line, exception, exitCode, output } = shown;
  const place = path === undefined ? '' : ` at ${path}:${line ?? ''}`;
  return [
    `${shown.sessionId} ${shown.state}${place}: ${shown.reason}`,
    ...(exception === undefined ? [] : [`Exception: ${indented(exception)}`]),
    ...(exitCode === undefined ? [] : [`Exit code ${exitCode}.`]),
    ...(shown.lines === undefined ? [] : [shown.lines]),
    ...(shown.stack.length === 0 ? [] : [`Stack: ${shown.stack.map(frameText).join(' < ')}`]),
    ...shown.changed.map((each) => `Changed: ${variableText(each)}`),
    ...(output === '' ? [] : [`Output:\n${output.trimEnd()}`]),
  ].join('\n');
}

export function frameText({ name, path, line }: z.input<typeof frame>): string {
  return path === undefined ? name : `${name} (${path}:${line ?? ''})`;
}

export function variableText({ name, type, value }: z.input<typeof variable>): string {
  const typed = type === undefined ? name : `${name}: ${type}`;
  return value === undefined ? typed : `${typed} = ${indented(value)}`;
}
