import { homedir } from 'node:os';
import { hasCode, messageOf } from '../base/errors.ts';
import { machineIdentity } from './machineIdentity.ts';
import { runBridge } from './runBridge.ts';

/** `EPERM` is an answer of a living process; in a sandbox even our own give it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

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
