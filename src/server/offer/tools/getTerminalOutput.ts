import * as z from 'zod';
import { clientError } from '../../errors/serverErrors.ts';
import type { WantedCommand, TerminalsPort } from '../../seen/ports/terminalsPort.ts';
import { answerText, clip, cutMiddle, marked, maxChars, note } from './answers.ts';
import { defineTool, looksOnly } from './tool.ts';

const command = z.object({
  terminalId: z.string(),
  command: z.string(),
  exitCode: z.int().optional().describe('Left out while the command runs, and when the shell did not tell'),
  isRunning: z.boolean(),
  output: z.string().describe('Without control sequences; says so where it was cut'),
});
type Command = z.input<typeof command>;

const notHeard = '[not heard: VS Code passed on nothing of what this command may have printed]';

const output = z.object({ commands: z.array(command), note });
type Output = z.input<typeof output>;

export const getTerminalOutput = defineTool({
  name: 'get_terminal_output',
  title: 'Get Terminal Output',
  description: 'Returns the latest commands in terminals with shell integration and what they printed, oldest first.',
  input: z.strictObject({
    terminalId: z.string().min(1).max(200).optional().describe('All if left out'),
    limit: z.int().min(1).max(1_000).default(200).describe('Most commands, the latest'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'runner',
  call: async ({ terminalId, limit, maxChars: most }, { editor: { terminals } }) => {
    if (terminalId !== undefined) {
      requireTerminal(terminalId, terminals);
    }
    const all = terminals.listCommands(terminalId);
    const commands = await latest(all.slice(-limit), most - 300, terminals);
    const left = all.length - commands.length;
    const why = all.length === 0 ? terminals.explainEmpty(terminalId) : left > 0 ? earlier(left) : undefined;
    return { commands, ...(why !== undefined && { note: why }) };
  },
  toText,
});

export function requireTerminal(id: string, terminals: TerminalsPort): void {
  if (!terminals.listTerminals().some((terminal) => terminal.id === id)) {
    throw clientError('server.terminalNotFound', { path: id });
  }
}

function earlier(left: number): string {
  return `${left} earlier commands were left out: a larger limit or maxChars, or a terminalId, shows more.`;
}

/** Distributes the room from the latest command back: each command gets half of what is left, and the oldest all of it. */
async function latest(commands: readonly WantedCommand[], room: number, terminals: TerminalsPort): Promise<Command[]> {
  const shown: Command[] = [];
  let left = room;
  for (const [index, ran] of [...commands].reverse().entries()) {
    const isLast = index === commands.length - 1;
    const described = describe(ran, await terminals.readOutput(ran), isLast ? left : Math.floor(left / 2));
    const size = Math.max(JSON.stringify(described).length, commandText(described).length) + 1;
    if (size > left && shown.length > 0) {
      break;
    }
    left -= size;
    shown.unshift(described);
  }
  return shown;
}

function describe(ran: WantedCommand, written: string, room: number): Command {
  const { terminalId, command: line, exitCode, isRunning, isCut, isUnheard } = ran;
  const shown = clip(line, room / 3);
  const start = isUnheard === true ? notHeard : isCut ? '[the beginning is cut]\n' : '';
  const pointer = '; a larger maxChars shows more';
  const text = cutMiddle(`${start}${written}`, Math.max(200, room - JSON.stringify(shown).length - 150), pointer);
  return { terminalId, command: shown, ...(exitCode !== undefined && { exitCode }), isRunning, output: text };
}

function toText({ commands, note: why }: Output): string {
  return answerText(commands.map(commandText), { note: why });
}

function commandText({ terminalId, command: line, exitCode, isRunning, output: text }: Command): string {
  const state = isRunning ? 'running' : exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
  return `$ ${line} ${marked(`terminal ${terminalId}`, state)}${text === '' ? '' : `\n${text}`}`;
}
