import { readFile, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../base/errors.ts';
import type { OfflineAnswers } from '../contract/bridgeFiles.ts';
import { duplexHome, findWindows, type Surroundings } from './findWindows.ts';
import type { HostPipe } from './hostPipe.ts';
import { HostRoots } from './hostRoots.ts';
import { Offline } from './offline.ts';
import { Relay } from './relay.ts';
import { bridgeError, describeList, describeRefusals, usage } from './sentences.ts';
import { type BridgeTimings, defaultTimings } from './timings.ts';
import { WindowConnector } from './windowConnector.ts';
import type { ClientCertificate } from './windowLink.ts';

export interface BridgeProcess {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly duplexHome: string | undefined;
  readonly homeFolder: string;
  /** The value of `DUPLEX_CLIENT_TOKEN`. */
  readonly clientToken: string | undefined;
  readonly surroundings: Surroundings;
  readonly host: HostPipe;
  readonly readOfflineAnswers: () => Promise<OfflineAnswers>;
  /** Calls the listener when the process is told to stop. */
  readonly onStop: (listener: () => void) => void;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly timings?: Partial<BridgeTimings> | undefined;
}

/**
 * Runs the bridge; the promise resolves to the exit code: 0 when done, 2 for wrong arguments. Standard output belongs to the
 * host: only `--list` and `--help` print.
 */
export async function runBridge(bridge: BridgeProcess): Promise<number> {
  let options: BridgeOptions;
  let certificate: ClientCertificate | undefined;
  try {
    options = readOptions(bridge.args);
    certificate = await readCertificate(options, bridge.cwd);
  } catch (error) {
    bridge.complain(`${messageOf(error)}\n${usage}`);
    return 2;
  }
  const home = duplexHome(bridge.duplexHome, bridge.homeFolder);
  if (options.help) {
    bridge.print(usage);
  } else if (options.list) {
    const found = await findWindows(home, bridge.surroundings);
    bridge.print(describeList(found));
    bridge.complain(describeRefusals(found));
  } else {
    await relay(bridge, home, options, certificate);
  }
  return 0;
}

async function relay(
  bridge: BridgeProcess,
  home: string,
  { workspace }: BridgeOptions,
  certificate: ClientCertificate | undefined,
): Promise<void> {
  const { host, complain, surroundings, clientToken } = bridge;
  const timings = { ...defaultTimings, ...bridge.timings };
  const criteria = {
    cwd: await resolved(bridge.cwd),
    workspace: workspace === undefined ? undefined : await resolved(path.resolve(bridge.cwd, workspace)),
  };
  const toHost = (text: string): boolean => host.write(text);
  const roots = new HostRoots({ toHost, isWanted: workspace === undefined, holdMs: timings.rootsHold });
  const connector = new WindowConnector({
    roots: () => roots.known(),
    home,
    surroundings,
    criteria,
    clientToken: clientToken === '' ? undefined : clientToken,
    certificate,
    timeoutMs: timings.connect,
    reconnectGraceMs: timings.reloadHold,
    twinGraceMs: timings.twinHold,
    silenceCheckMs: timings.silenceCheck,
  });
  const running = new Relay({
    offline: new Offline(await readAnswers(bridge)),
    connector,
    roots,
    toHost,
    readHost: (isWanted) => host.read(isWanted),
    complain,
    timings,
  });
  bridge.onStop(() => running.stop());
  host.listen(
    {
      line: (text) => running.fromHost(text),
      drained: () => running.hostDrained(),
      ended: () => void running.end(),
      gone: () => running.stop(),
    },
    complain,
  );
  await running.run();
  host.close();
}

/** Reads the recorded answers. Without them the bridge still relays. */
async function readAnswers({ readOfflineAnswers, complain }: BridgeProcess): Promise<OfflineAnswers> {
  try {
    return await readOfflineAnswers();
  } catch (error) {
    complain(`Nothing can be answered without a window: ${messageOf(error)}\n`);
    return { entries: [], revisions: {} };
  }
}

async function readCertificate({ cert, key }: BridgeOptions, cwd: string): Promise<ClientCertificate | undefined> {
  if (cert === undefined || key === undefined) {
    return undefined;
  }
  return { cert: await readFile(path.resolve(cwd, cert)), key: await readFile(path.resolve(cwd, key)) };
}

/** A path without links, as the roots of a window are known, too. */
function resolved(place: string): Promise<string> {
  return realpath(place).catch(() => place);
}

interface BridgeOptions {
  readonly list: boolean;
  readonly help: boolean;
  readonly workspace: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Reads the arguments; throws with a sentence about what is wrong. */
function readOptions(args: readonly string[]): BridgeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      list: { type: 'boolean' },
      help: { type: 'boolean' },
      workspace: { type: 'string' },
      cert: { type: 'string' },
      key: { type: 'string' },
    },
  });
  const { list = false, help = false, workspace, cert, key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    throw bridgeError('bridge.certificateWithoutKey');
  }
  return { list, help, workspace, cert, key };
}
