import { homedir } from 'node:os';
import { messageOf } from '../base/errors.ts';
import { isAlive } from '../discovery/livingProcess.ts';
import { machineIdentity } from '../discovery/machineIdentity.ts';
import { runBridge } from './runBridge.ts';

try {
  // The exit code is set, not forced: what was printed reaches its reader first.
  process.exitCode = await runBridge({
    args: process.argv.slice(2),
    cwd: process.cwd(),
    duplexHome: process.env.DUPLEX_HOME,
    homeFolder: homedir(),
    surroundings: { machine: await machineIdentity(), uid: process.getuid?.(), isAlive },
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  });
} catch (error) {
  process.stderr.write(`duplex-bridge failed: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
