import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { childEnvironment } from '../run/childEnvironment.mjs';
import { endProcessTree, spawnProcessTree } from '../run/processTree.mjs';

const startMilliseconds = 20_000;

/**
 * @typedef {object} PeerProcess
 * @property {number} port on 127.0.0.1
 * @property {number} pid
 * @property {() => Promise<void>} close ends it with everything it started
 */

/**
 * Starts a peer that listens on a port it is told, and waits until it does.
 *
 * @param {(port: number) => { readonly command?: string, readonly args: readonly string[], readonly env?: Readonly<Record<string, string>> }} launch
 * @param {number} [chosenPort] a free one unless given
 * @returns {Promise<PeerProcess>}
 */
export async function startPeer(launch, chosenPort) {
  const port = chosenPort ?? (await findFreePort());
  const { command = process.execPath, args, env = {} } = launch(port);
  const child = spawnProcessTree(command, args, { env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => (output = (output + String(chunk)).slice(-4000)));
  }
  const close = async () => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    await endProcessTree(child.pid);
    await exited;
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const deadline = Date.now() + startMilliseconds;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error(`${args.join(' ')} does not listen on port ${port}:\n${output}`);
    }
    await sleep(50);
  }
  return { port, pid: child.pid, close };
}

/** @returns {Promise<number>} */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Peers listen on one address or on all; `localhost` may mean either family to them. @param {number} port */
async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
