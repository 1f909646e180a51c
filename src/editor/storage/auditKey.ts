import type * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { withFileLock } from '../../platform/files/fileLock.ts';
import { newSecret } from '../../platform/randomSecrets.ts';

const name = 'duplex.audit.key';
/** How long, in ms, to wait for the lock under which the key is made: several windows must not make several. */
const lockWaitMs = 5_000;

/**
 * The key of the audit log, made once for all windows. Where the secret store keeps nothing, each window has a key of its own
 * until it closes.
 */
export function createAuditKey(secrets: vscode.SecretStorage, lock: string, log: Log): () => string | Promise<string> {
  let known: string | Promise<string> | undefined;
  let ownKey: string | undefined;
  const find = async (): Promise<string> => {
    try {
      return (known = (await secrets.get(name)) ?? (await withFileLock(lock, lockWaitMs, () => makeOnce(secrets))));
    } catch (error) {
      // The key is asked for with every line of the log, and looked for again then.
      known = undefined;
      log.warn(`The key of the audit log cannot be kept: ${messageOf(error)}`);
      return (ownKey ??= newSecret());
    }
  };
  return () => (known ??= find());
}

/** Makes the key unless another window has made it meanwhile. */
async function makeOnce(secrets: vscode.SecretStorage): Promise<string> {
  const key = (await secrets.get(name)) ?? newSecret();
  await secrets.store(name, key);
  return key;
}
