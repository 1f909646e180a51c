import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { atMost } from '../../../base/abort.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { CallContext } from '../catalog/catalog.ts';
import type { CommandPlace, RunningCommand } from '../../seen/ports/actingPort.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import { authorOf, boundedOutput, outputText, runOutput, runsAnything } from './actingShapes.ts';
import { follow, silentPatienceMs } from './runs.ts';
import { defineTool, type EditorCall } from './tool.ts';

const output = z.object({ ...runOutput, isRunning: z.boolean() });
type Output = z.input<typeof output>;

/**
 * Control characters, which a terminal takes for keys: TAB completes, Ctrl+C interrupts, ESC edits the line. With one of them,
 * something else would run than what the person allowed.
 */
const keys = /[^\P{Cc}\n]/u;
/** Ctrl+C, Ctrl+D, Ctrl+Z and Ctrl+\ end or stop the command that runs: the shell would run what follows them. */
const afterEndingKey = /[\u0003\u0004\u001A\u001C][^]/;
const endsWithKey = /\p{Cc}$/u;

const seeMore = '; get_terminal_output with maxChars shows more';
const goesOn = 'The command goes on in its terminal; get_terminal_output shows what it writes.';
const seemsToAsk =
  'The command seems to wait: what it wrote ends in an unfinished line. input answers it, get_terminal_output shows what it writes.';
const notHeard = 'What the command printed, if anything, was not heard: VS Code passed on nothing of it.';
const noExitCode = 'The shell did not say with which exit code the command ended.';
const whyNew: Readonly<Record<NonNullable<CommandPlace['replaces']>, string>> = {
  closed: newTerminal('was closed'),
  otherFolder: newTerminal('stands in another folder'),
  otherSettings: newTerminal('has another shell or other variables than settings say now'),
};

function newTerminal(why: string): string {
  return `This runs in a new terminal, because the one before ${why}: what earlier commands left behind in it is gone.`;
}

export const runTerminalCommand = defineTool({
  name: 'run_terminal_command',
  title: 'Run Terminal Command',
  description:
    'Runs a command line in your VS Code terminal, which stays as the last one left it, after the person allowed exactly this one.',
  input: z.strictObject({
    command: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .refine((text) => !keys.test(text), 'a control character other than a line break would be a key press in the terminal')
      .optional()
      .describe("For the person's shell"),
    input: z
      .string()
      .max(20_000)
      .refine((text) => !afterEndingKey.test(text), 'nothing may follow Ctrl+C, Ctrl+D, Ctrl+Z or Ctrl+\\: the shell would run it')
      .optional()
      .describe('Instead of command: typed for the one that runs, then Enter unless it ends with a control character (\\u0003 is Ctrl+C)'),
    cwd: z.string().max(maxPathLength).optional().describe('A folder of the workspace; another than before takes a new terminal'),
    wait: z.boolean().default(true).describe('false: return at once'),
    waitFor: z.string().min(1).max(1_000).optional().describe('Text that ends the wait'),
    timeoutMs: z
      .int()
      .min(1)
      .max(24 * 60 * 60_000)
      .optional()
      .describe('Interrupts the command then; with waitFor or input only ends the wait'),
  }),
  output,
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  call: async ({ command, input, cwd, ...wishes }, context) => {
    if ((command === undefined) === (input === undefined)) {
      throw clientError('server.commandOrInput');
    }
    if (input !== undefined && cwd !== undefined) {
      throw clientError('server.inputWithCwd');
    }
    const begun = command === undefined ? await typeInput(input ?? '', context) : await startCommand(command, cwd, context);
    return answerOf(begun, wishes, context.call);
  },
  toText: ({ isRunning, ...ran }) => [isRunning ? 'It is running.' : '', outputText(ran)].filter((part) => part !== '').join('\n'),
});

interface Begun {
  readonly running: RunningCommand;
  readonly isInput: boolean;
  /** The place from which on the output is this call's, and what there was of it before. */
  readonly since: number;
  readonly before: string;
  readonly note?: string | undefined;
}

async function startCommand(command: string, cwd: string | undefined, { editor, call }: EditorCall): Promise<Begun> {
  const author = authorOf(call);
  const place = await editor.acting.commandPlace(author, cwd);
  const { earlier, moreEarlier } = place;
  const what = {
    kind: 'command',
    commandLine: command,
    cwd: place.cwd,
    terminal: place.terminal,
    ...(earlier.length > 0 && { earlier, moreEarlier }),
  } as const;
  await call.confirm({ tool: 'run_terminal_command', role: 'runner', what, offersSession: false });
  // While the question was open, the folder may have been withheld, a link to it moved, another shell been chosen, or something
  // been run in the terminal.
  const now = await editor.acting.commandPlace(author, cwd);
  if (now.cwd !== place.cwd || now.terminal !== place.terminal || now.state !== place.state) {
    throw clientError(now.cwd === place.cwd ? 'server.terminalChanged' : 'server.folderChanged');
  }
  const running = await editor.acting.startCommand({ command, place, author }, call.signal);
  return { running, isInput: false, since: 0, before: '', ...(place.replaces !== undefined && { note: whyNew[place.replaces] }) };
}

async function typeInput(input: string, { editor, call }: EditorCall): Promise<Begun> {
  const author = authorOf(call);
  const asked = editor.acting.runningCommand(author);
  if (asked === undefined) {
    throw clientError('server.nothingRuns');
  }
  const text = endsWithKey.test(input) ? input : `${input}\n`;
  const what = { kind: 'input', text, commandLine: asked.command } as const;
  await call.confirm({ tool: 'run_terminal_command', role: 'runner', what, offersSession: false });
  const running = editor.acting.runningCommand(author);
  // The shell would run what was meant for a command that has ended.
  if (running?.id !== asked.id) {
    throw clientError('server.nothingRuns');
  }
  const since = running.position();
  const before = await running.output(since);
  if (editor.acting.runningCommand(author)?.id !== asked.id) {
    throw clientError('server.nothingRuns');
  }
  call.signal.throwIfAborted();
  running.type(text);
  return { running, isInput: true, since, before };
}

interface Wishes {
  readonly wait: boolean;
  readonly waitFor?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

async function answerOf(begun: Begun, { wait, waitFor, timeoutMs }: Wishes, call: CallContext): Promise<Output> {
  const { running, isInput, since } = begun;
  const interruptsLate = !isInput && waitFor === undefined;
  if (!wait) {
    interruptLater(running, interruptsLate ? timeoutMs : undefined);
    return { isRunning: true, note: noteOf(begun, goesOn) };
  }
  const began = performance.now();
  const over = new AbortController();
  const stop = (): void => {
    if (call.signal.aborted ? !isInput : interruptsLate) {
      running.interrupt();
    }
  };
  try {
    const ended = Promise.race([running.ended, untilWritten(begun, waitFor, over.signal)]);
    const end = await follow(call, { ended, stop, message: 'The command is running.', timeLimit: timeoutMs });
    const last = end === undefined ? await atMost(running.ended, interruptsLate ? interruptedMs : 0) : end;
    const written = boundedOutput(await running.output(since), seeMore);
    if (typeof last === 'object') {
      const remarks = [
        end === undefined && interruptsLate && `The command was interrupted after ${timeoutMs} ms.`,
        last.exitCode === undefined && noExitCode,
        last.isUnheard === true && notHeard,
      ];
      return {
        ...(last.exitCode !== undefined && { exitCode: last.exitCode }),
        output: written,
        isRunning: false,
        ...remarked(begun, remarks),
      };
    }
    if (last !== undefined && interruptsLate) {
      const passed = last === 'goesOn' ? silentPatienceMs : performance.now() - began;
      interruptLater(running, timeoutMs === undefined ? undefined : timeoutMs - passed);
    }
    return { output: written, isRunning: true, ...remarked(begun, [whyStillRunning(last, interruptsLate, timeoutMs)]) };
  } finally {
    over.abort();
  }
}

function whyStillRunning(
  last: 'goesOn' | 'asks' | 'written' | undefined,
  isInterrupted: boolean,
  timeoutMs: number | undefined,
): string | false {
  switch (last) {
    case 'goesOn':
      return goesOn;
    case 'asks':
      return seemsToAsk;
    case 'written':
      return false;
    case undefined:
      return isInterrupted
        ? `The command was interrupted after ${timeoutMs} ms, and still runs.`
        : `The wait ended after ${timeoutMs} ms. ${goesOn}`;
  }
}

function remarked(begun: Begun, remarks: readonly (string | false)[]): { readonly note?: string } {
  const note = noteOf(begun, ...remarks);
  return note === '' ? {} : { note };
}

function noteOf({ note }: Begun, ...remarks: readonly (string | false)[]): string {
  return [note ?? false, ...remarks].filter((each) => each !== false).join(' ');
}

/** How long, in ms, an interrupted command may take to end before it is said that it still runs. */
const interruptedMs = 1_000;
/** How often, in ms, it is looked whether a command has written something. */
const lookMs = 100;
/** How long, in ms, nothing comes after an unfinished line before the command seems to wait. */
const askingMs = 10_000;
/** How long, in ms, nothing comes after an unfinished line before the command seems to wait again, once an input was sent. */
const askingAgainMs = 1_500;
/** How long, in ms, the terminal must be quiet after an input before the call is answered. */
const quietMs = 5_000;

/**
 * Resolves once a call has what it waits for: the text in what the client may see of the output. Without such a text, once the
 * command seems to wait for an input, and after an input once nothing more comes. It never rejects, and never resolves when `over`
 * fires.
 */
async function untilWritten(begun: Begun, waitFor: string | undefined, over: AbortSignal): Promise<'written' | 'asks'> {
  const { running, since, before, isInput } = begun;
  let seen = -1;
  let changedAt = performance.now();
  let text = '';
  while (!over.aborted) {
    if (running.writes() !== seen) {
      seen = running.writes();
      changedAt = performance.now();
      const whole = await running.output(since);
      text = whole.startsWith(before) ? whole.slice(before.length) : whole;
    }
    if (waitFor !== undefined) {
      if (text.includes(waitFor)) {
        return 'written';
      }
    } else {
      const quiet = performance.now() - changedAt;
      const isUnfinished = text.slice(text.lastIndexOf('\n') + 1).trim() !== '';
      if (isUnfinished && quiet > (isInput ? askingAgainMs : askingMs)) {
        return 'asks';
      }
      if (isInput && quiet > quietMs) {
        return 'written';
      }
    }
    await sleep(lookMs, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
  return new Promise(() => undefined);
}

function interruptLater(running: RunningCommand, timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined) {
    const timer = setTimeout(() => running.interrupt(), timeoutMs);
    void running.ended.then(() => clearTimeout(timer));
  }
}
