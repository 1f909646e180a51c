import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import type { DebugFrame, DebugStop, StepAction } from '../../server/seen/ports/debugPort.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import type { KnownSession } from './debugSessions.ts';
import { type AdapterFrame, type AskAdapter, askInTime, changedSince, threadsOf, variablesOf } from './debugValues.ts';

/** How long, in ms, VS Code may take to pass on a step. */
const passMs = 2_000;
/** The most functions whose variables are kept for the next stop there. */
const maxFunctions = 50;

/** Says in words why a session is as it is. */
export function reasonOf({ record }: KnownSession): string {
  switch (record.state) {
    case 'stopped':
      return record.stop?.reason ?? 'stopped';
    case 'running':
      return 'It runs: nothing has stopped it so far.';
    case 'ended':
      return record.endReason ?? 'The program ended.';
  }
}

export function askOf({ session }: KnownSession): AskAdapter | undefined {
  return session === undefined ? undefined : (command, args) => session.customRequest(command, args);
}

export async function threadOf({ record }: KnownSession, ask: AskAdapter): Promise<number> {
  return record.stop?.threadId ?? (await threadsOf(ask))[0] ?? 0;
}

/** The variables of the top frame that are new or have changed since the last stop in the same function. */
export async function changedIn({ lastValues }: KnownSession, ask: AskAdapter, top: AdapterFrame): Promise<DebugStop['changed']> {
  const { variables } = await variablesOf(ask, top.id, { depth: 1 });
  const changed = changedSince(lastValues.get(top.name), variables);
  lastValues.delete(top.name);
  lastValues.set(top.name, new Map(variables.map(({ name, value = '' }) => [name, value])));
  const [oldest] = lastValues.keys();
  if (lastValues.size > maxFunctions && oldest !== undefined) {
    lastValues.delete(oldest);
  }
  return changed;
}

/** The file of a frame. In a remote window VS Code writes it as the window sees it; this side of it, it is a file. */
export function frameUri({ source }: AdapterFrame): vscode.Uri | undefined {
  const place: unknown = source?.['path'];
  if (typeof place !== 'string') {
    return undefined;
  }
  if (/^(?:file|vscode-remote):\/\//i.test(place)) {
    return vscode.Uri.file(vscode.Uri.parse(place).path);
  }
  return /^(?:\/|[a-z]:[\\/])/i.test(place) ? vscode.Uri.file(place) : undefined;
}

export function toFrame(frame: AdapterFrame): DebugFrame {
  const uri = frameUri(frame);
  return uri === undefined ? { name: frame.name } : { name: frame.name, path: toClientPath(uri), line: frame.line };
}

type Resuming = Exclude<StepAction, 'pause' | 'stop'>;

const requests: Readonly<Record<Resuming, { readonly request: string; readonly command: string }>> = {
  continue: { request: 'continue', command: 'workbench.action.debug.continue' },
  over: { request: 'next', command: 'workbench.action.debug.stepOver' },
  into: { request: 'stepIn', command: 'workbench.action.debug.stepInto' },
  out: { request: 'stepOut', command: 'workbench.action.debug.stepOut' },
};

/**
 * Steps as the person would, where VS Code shows this very thread: then its window knows that the program runs on. Otherwise the
 * adapter is asked directly, since VS Code's commands could mean another session.
 */
export async function passOn(known: KnownSession, ask: AskAdapter, action: Resuming, threadId: number): Promise<void> {
  const { request, command } = requests[action];
  const { record, session } = known;
  const shown = vscode.debug.activeStackItem;
  const before = record.resumes;
  if (session !== undefined && shown?.session.id === session.id && shown.threadId === threadId) {
    const context = { sessionId: session.id, threadId: `thread:${session.id}:${threadId}` };
    await atMost(Promise.resolve(vscode.commands.executeCommand(command, context)), passMs).catch(() => undefined);
  }
  if (record.resumes === before) {
    await askInTime(ask, request, { threadId }, passMs);
  }
}
