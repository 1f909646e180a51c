import type * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { withFileLock } from '../../platform/files/fileLock.ts';
import { newSecret } from '../../platform/randomSecrets.ts';

const name = 'duplex.audit.key';
const lockWaitMs = 5_000;

/** The key of the record, made once for all windows. Where secrets are not kept, each window has its own until it closes. */
export function createAuditKey(secrets: vscode.SecretStorage, lock: string, log: Log): () => string | Promise<string> {
  let known: string | Promise<string> | undefined;
  let ownKey: string | undefined;
  const find = async (): Promise<string> => {
    try {
      return (known = (await secrets.get(name)) ?? (await withFileLock(lock, lockWaitMs, () => makeOnce(secrets))));
    } catch (error) {
      // Tried again with the next line.
      known = undefined;
      log.warn(`The key of the audit log cannot be kept: ${messageOf(error)}`);
      return (ownKey ??= newSecret());
    }
  };
  return () => (known ??= find());
}

/** Another window may have made it meanwhile. */
async function makeOnce(secrets: vscode.SecretStorage): Promise<string> {
  const key = (await secrets.get(name)) ?? newSecret();
  await secrets.store(name, key);
  return key;
}
