import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../base/errors.ts';
import { chooseWindow } from './chooseWindow.ts';
import { duplexHome, findWindows, type Surroundings } from './findWindows.ts';
import { describeChoice, describeList, describeRefusals, describeWindow, notYet, usage } from './sentences.ts';

export interface BridgeProcess {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly duplexHome: string | undefined;
  readonly homeFolder: string;
  readonly surroundings: Surroundings;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

interface Options {
  readonly list: boolean;
  readonly help: boolean;
  readonly workspace: string | undefined;
}

/** Resolves to the exit code: 0 done, 1 no window to talk to, 2 wrong arguments. Standard output is the host's: only `--list` and `--help` use it. */
export async function runBridge(bridge: BridgeProcess): Promise<number> {
  const options = readOptions(bridge);
  if (options === undefined) {
    return 2;
  }
  if (options.help) {
    bridge.print(usage);
    return 0;
  }
  const found = await findWindows(duplexHome(bridge.duplexHome, bridge.homeFolder), bridge.surroundings);
  if (options.list) {
    bridge.print(describeList(found));
    bridge.complain(describeRefusals(found));
    return 0;
  }
  bridge.complain(notYet);
  const workspace = options.workspace && (await resolved(path.resolve(bridge.cwd, options.workspace)));
  const choice = chooseWindow(found.windows, { cwd: await resolved(bridge.cwd), workspace });
  bridge.complain(choice.kind === 'chosen' ? describeWindow(choice.window) : describeChoice(choice, found.windows));
  return 1;
}

function readOptions({ args, complain }: BridgeProcess): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { list: { type: 'boolean' }, help: { type: 'boolean' }, workspace: { type: 'string' } },
    });
    return { list: values.list ?? false, help: values.help ?? false, workspace: values.workspace };
  } catch (error) {
    complain(`${messageOf(error)}\n${usage}`);
    return undefined;
  }
}

/** Without links, as the roots of a window are also known. */
function resolved(place: string): Promise<string> {
  return realpath(place).catch(() => place);
}
