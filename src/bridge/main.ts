// bridge/: the stdio bridge, a process of its own that a host starts as an MCP server. It speaks MCP on standard input
// and output, finds the VS Code window to use by the discovery files, and passes messages between the two over a WebSocket;
// while there is no window it answers by itself what it can.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { messageOf } from '../base/errors.ts';
import { offlineAnswersFile, type OfflineAnswers } from '../contract/bridgeFiles.ts';
import { isAlive } from '../platform/processes/processLife.ts';
import { machineIdentity } from '../platform/machineIdentity.ts';
import { HostPipe } from './hostPipe.ts';
import { runBridge } from './runBridge.ts';

/** The longest, in ms, that the process may live on after its end: a host that stops it and waits must not wait for long. */
const maxStopMs = 1_000;

try {
  // The exit code is set, not forced: what was printed reaches its reader first.
  process.exitCode = await runBridge({
    args: process.argv.slice(2),
    cwd: process.cwd(),
    duplexHome: process.env.DUPLEX_HOME,
    homeFolder: homedir(),
    clientToken: process.env.DUPLEX_CLIENT_TOKEN,
    surroundings: { machine: await machineIdentity(), uid: process.getuid?.(), isAlive },
    host: new HostPipe(process.stdin, process.stdout),
    readOfflineAnswers: async () =>
      JSON.parse(await readFile(new URL(`./${offlineAnswersFile}`, import.meta.url), 'utf8')) as OfflineAnswers,
    onStop: (listener) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.once(signal, listener);
      }
    },
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  });
} catch (error) {
  process.stderr.write(`duplex-bridge failed: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
setTimeout(() => process.exit(), maxStopMs).unref();
