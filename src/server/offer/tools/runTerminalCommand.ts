import * as z from 'zod';
import { clientError } from '../../errors/serverErrors.ts';
import type { RunningCommand } from '../../seen/ports/actingPort.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import { authorOf, boundedOutput, outputText, runOutput, runsAnything } from './actingShapes.ts';
import { follow, silentPatienceMs } from './runs.ts';
import { defineTool } from './tool.ts';

const output = z.object(runOutput);

/**
 * Control characters, which a terminal takes for keys: TAB completes, Ctrl+C interrupts, ESC edits the line. With one of them,
 * something else would run than what the person allowed.
 */
const keys = /[^\P{Cc}\n]/u;

const seeMore = '; get_terminal_output with maxChars shows more';
const goesOn = 'The command goes on in its terminal; get_terminal_output shows what it writes.';
const notHeard = 'What the command printed, if anything, was not heard: VS Code passed on nothing of it.';
const noExitCode = 'The shell did not say with which exit code the command ended.';

export const runTerminalCommand = defineTool({
  name: 'run_terminal_command',
  title: 'Run Terminal Command',
  description: 'Runs a command line in a VS Code terminal, after the person allowed exactly this one.',
  input: z.strictObject({
    command: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .refine((text) => !keys.test(text), 'a control character other than a line break would be a key press in the terminal')
      .describe("For the person's shell"),
    cwd: z.string().max(maxPathLength).optional().describe('A folder of the workspace'),
    wait: z.boolean().default(true).describe('false: return at once'),
    timeoutMs: z
      .int()
      .min(1)
      .max(24 * 60 * 60_000)
      .optional()
      .describe('Interrupts the command then'),
  }),
  output,
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  call: async ({ command, cwd, wait, timeoutMs }, { editor, call }) => {
    const folder = await editor.acting.commandFolder(cwd);
    const what = { kind: 'command', commandLine: command, cwd: folder } as const;
    await call.confirm({ tool: 'run_terminal_command', role: 'runner', what, offersSession: false });
    // While the question was open, the folder may have been withheld or a link to it moved.
    if ((await editor.acting.commandFolder(cwd)) !== folder) {
      throw clientError('server.folderChanged');
    }
    const running = await editor.acting.startCommand({ command, cwd: folder, author: authorOf(call) }, call.signal);
    if (!wait) {
      interruptLater(running, timeoutMs);
      return { note: goesOn };
    }
    const stop = (): void => running.interrupt();
    const end = await follow(call, { ended: running.ended, stop, message: 'The command is running.', timeLimit: timeoutMs });
    if (end === 'goesOn') {
      interruptLater(running, timeoutMs === undefined ? undefined : timeoutMs - silentPatienceMs);
      return { output: boundedOutput(running.output(), seeMore), note: goesOn };
    }
    if (end === undefined) {
      return { output: boundedOutput(running.output(), seeMore), note: `The command was interrupted after ${timeoutMs} ms.` };
    }
    const remarks = [...(end.exitCode === undefined ? [noExitCode] : []), ...(end.isUnheard === true ? [notHeard] : [])];
    return {
      ...(end.exitCode !== undefined && { exitCode: end.exitCode }),
      ...(remarks.length > 0 && { note: remarks.join(' ') }),
      output: boundedOutput(running.output(), seeMore),
    };
  },
  toText: outputText,
});

function interruptLater(running: RunningCommand, timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined) {
    const timer = setTimeout(() => running.interrupt(), timeoutMs);
    void running.ended.then(() => clearTimeout(timer));
  }
}
