import * as z from 'zod';
import { clientError } from '../../errors/clientErrors.ts';
import type { TerminalCommand, TerminalsPort } from '../../seen/ports/terminalsPort.ts';
import { defineTool, looksOnly } from './tool.ts';

/** Of all outputs in one answer; the latest commands come first to it. */
const maxCharacters = 400_000;

const command = z.object({
  terminalId: z.string(),
  command: z.string(),
  exitCode: z.int().optional().describe('Left out while the command runs, and when the shell did not tell'),
  isRunning: z.boolean(),
  output: z.string().describe('Without control sequences; says so where it was cut'),
});

export const getTerminalOutput = defineTool({
  name: 'get_terminal_output',
  title: 'Get Terminal Output',
  description:
    'Returns the latest commands in the terminals of the window and what they printed, oldest first: commands since Duplex started, in terminals with shell integration. An empty answer says why in note.',
  input: z.strictObject({
    terminalId: z.string().min(1).optional().describe('Only of this terminal; all if left out'),
    limit: z.int().min(1).max(1_000).default(200).describe('How many commands to return at most: the latest'),
  }),
  output: z.object({ commands: z.array(command), note: z.string().optional().describe('Why there are no commands') }),
  annotations: looksOnly,
  role: 'runner',
  call: ({ terminalId, limit }, { editor: { terminals } }) => {
    if (terminalId !== undefined) {
      requireTerminal(terminalId, terminals);
    }
    const commands = terminals.listCommands(terminalId).slice(-limit);
    return commands.length === 0 ? { commands: [], note: terminals.explainEmpty(terminalId) } : { commands: describe(commands) };
  },
});

export function requireTerminal(id: string, terminals: TerminalsPort): void {
  if (!terminals.listTerminals().some((terminal) => terminal.id === id)) {
    throw clientError('server.terminalNotFound', { path: id });
  }
}

function describe(commands: readonly TerminalCommand[]): z.input<typeof command>[] {
  let left = maxCharacters;
  return [...commands]
    .reverse()
    .map((ran) => {
      const { terminalId, command: line, exitCode, isRunning, isCut } = ran;
      const output = left === 0 ? undefined : ran.output;
      const shown = output?.slice(Math.max(0, output.length - left)) ?? '';
      left -= shown.length;
      const start = isCut || shown.length !== output?.length ? '[the beginning is cut]\n' : '';
      return { terminalId, command: line, ...(exitCode !== undefined && { exitCode }), isRunning, output: `${start}${shown}` };
    })
    .reverse();
}
