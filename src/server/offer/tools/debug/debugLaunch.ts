import * as z from 'zod';
import { parseCommandLine } from '../../../../base/commandLine.ts';
import { hasCode } from '../../../../base/errors.ts';
import { canonicalJson } from '../../../../base/json.ts';
import type { DebugCode } from '../../../access/clientApproval.ts';
import { clientError } from '../../../errors/serverErrors.ts';
import type { FoundLaunch } from '../../../seen/ports/debugPort.ts';
import type { TestPlan } from '../../../../testRuns/testGround.ts';
import { type BeforeRun, confirmRun } from '../runs.ts';
import { somePath } from '../shapes.ts';
import type { EditorCall } from '../tool.ts';

/** The parameters that say what to debug. */
export const launchInput = {
  configuration: z.string().min(1).max(1_000).optional().describe('Of launch.json'),
  test: z
    .strictObject({ path: somePath, name: z.string().min(1).max(1_000).optional() })
    .optional()
    .describe('Instead: a test file, or one test by name'),
};

interface Wanted {
  readonly configuration?: string | undefined;
  readonly test?: { readonly path: string; readonly name?: string | undefined } | undefined;
}

/**
 * Plans one test, or those of a file. Many tests have the same name, so the file is a part of the filter; for a program that is not
 * told files, the name has to do.
 */
async function planTest(
  { path = '', name }: Partial<NonNullable<Wanted['test']>> = {},
  { tests }: EditorCall['editor'],
): Promise<TestPlan> {
  const filter = name === undefined ? path : name.startsWith(path) ? name : `${path} > ${name}`;
  return tests.plan({ filter, file: path }).catch((error: unknown) => {
    if (name === undefined || !hasCode(error, 'tests.cannotFilter')) {
      throw error;
    }
    return tests.plan({ filter: name, file: path });
  });
}

/** Finds what would be started. Rejects unless exactly one of the two is given. */
async function findLaunch({ configuration, test }: Wanted, { editor }: EditorCall): Promise<FoundLaunch> {
  if ((configuration === undefined) === (test === undefined)) {
    throw clientError('server.configurationOrTest');
  }
  if (configuration !== undefined) {
    return editor.debug.findLaunch({ kind: 'configuration', name: configuration });
  }
  const { parts } = await planTest(test, editor);
  const [part, ...others] = parts;
  const line = part === undefined || others.length > 0 ? undefined : parseCommandLine(part.commandLine, 'available');
  if (part === undefined || line?.kind !== 'ok') {
    throw clientError('server.testNotDebuggable', {
      commands: parts.map(({ commandLine }) => commandLine.slice(0, maxCommand)).join('; '),
    });
  }
  const { cwd, chain } = part;
  return editor.debug.findLaunch({ kind: 'program', name: part.commandLine, program: line.command, args: line.args, cwd, chain });
}

/** The most characters of a command that an error repeats. */
const maxCommand = 300;

interface ConfirmedLaunch extends BeforeRun {
  readonly launch: FoundLaunch;
}

/**
 * Asks about what would be started, with everything that runs before it and the code that the debugger would run on the way.
 * Nothing is started if it is something else by the time of the answer.
 */
export async function confirmLaunch(
  tool: string,
  wanted: Wanted,
  code: readonly DebugCode[],
  context: EditorCall,
): Promise<ConfirmedLaunch> {
  const launch = await findLaunch(wanted, context);
  const { name, definition, chain } = launch;
  const what = { kind: 'debug', name, definition, chain, ...(code.length > 0 && { code }) } as const;
  const before = await confirmRun({ tool, role: 'runner', what, offersSession: chain.unknown.length === 0 }, context);
  const now = await findLaunch(wanted, context);
  if (canonicalJson([now.definition, now.chain]) !== canonicalJson([definition, chain])) {
    throw clientError('server.launchChanged', { name: name.slice(0, maxCommand) });
  }
  return { launch: now, ...before };
}
