import * as path from 'node:path';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { TextInMemory, type SharedText } from '../base/sharedText.ts';
import { Ledger } from '../consent/ledger.ts';
import { workspaceKey } from '../editor/settingsReader.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { tellNothingStored } from '../views/permissionNotice.ts';

export interface ConsentJoinOptions {
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** Joins the remembered answers to the file that all windows share. */
export async function openLedger(options: ConsentJoinOptions, lifetime: DisposableStore): Promise<Ledger> {
  const storage = await openStorage(options, lifetime);
  const ledger = lifetime.add(new Ledger({ storage, workspace: workspaceKey(), now: () => new Date(), log: options.log }));
  await ledger.load();
  return ledger;
}

/** Without a place to keep answers Duplex still works: it remembers nothing, so it asks. */
async function openStorage({ storageFolder, reporter, log }: ConsentJoinOptions, lifetime: DisposableStore): Promise<SharedText> {
  try {
    return lifetime.add(await SharedFile.open(path.join(storageFolder, 'permissions.json'), log));
  } catch (error) {
    log.error('The permissions cannot be stored.', error);
    tellNothingStored(reporter);
    return new TextInMemory();
  }
}
