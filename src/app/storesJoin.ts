import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { type SharedText, TextInMemory } from '../base/sharedStorage.ts';
import { AuditLog } from '../consent/audit/auditLog.ts';
import { ConsentGate } from '../consent/consentGate.ts';
import { Ledger } from '../consent/ledger.ts';
import { createAuditKey } from '../editor/storage/auditKey.ts';
import { workspaceKey } from '../editor/settingsReader.ts';
import { installationId } from '../platform/machineIdentity.ts';
import { RotatingLines } from '../platform/files/rotatingLines.ts';
import { SharedFile } from '../platform/files/sharedFile.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { tellAnswerNotStored, tellNothingRecorded, tellNothingStored } from '../views/windowReports.ts';

/** The audit log keeps ten parts of ten megabytes: months of work, or an hour of a client that does nothing but call. */
const auditLimits = { maxBytes: 10 * 1024 * 1024, maxParts: 10 };

export interface StoresJoinOptions {
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** The audit log with the file it is written to and the key that seals it. */
export interface AuditJoin {
  readonly audit: AuditLog;
  readonly lines: RotatingLines;
  readonly key: () => string | Promise<string>;
}

/** Joins the audit log to the file that all windows append to. */
export function openAudit(
  { storageFolder, secrets, reporter, log }: StoresJoinOptions & { readonly secrets: vscode.SecretStorage },
  lifetime: DisposableStore,
): AuditJoin {
  const file = path.join(storageFolder, 'audit.jsonl');
  const lines = new RotatingLines(file, auditLimits);
  const key = createAuditKey(secrets, `${file}.key.lock`, log);
  const onFailure = (error: unknown): void => {
    log.error('The audit log could not be written.', error);
    tellNothingRecorded(messageOf(error), reporter);
  };
  const audit = lifetime.add(new AuditLog({ storage: lines, key, clock: systemClock, onFailure }));
  return { audit, lines, key };
}

/** Joins the gate to what the person is told when an answer of theirs cannot be stored. */
export function openGate(ledger: Ledger, audit: AuditLog, { reporter, log }: Omit<StoresJoinOptions, 'storageFolder'>): ConsentGate {
  return new ConsentGate(ledger, audit, (error) => {
    log.error('An answer could not be stored.', error);
    tellAnswerNotStored(messageOf(error), reporter);
  });
}

/** What is remembered of tools that people run by hand. */
export interface ByHandStorage {
  readonly runs: SharedText;
  readonly tools: SharedText;
}

/** What is kept outside of this window, beside the audit log. */
export interface Stores {
  readonly ledger: Ledger;
  /** What servers have spent of the model. */
  readonly budgets: SharedText;
  readonly byHandStorage: ByHandStorage;
  /** A random name of this installation. */
  readonly machine: string;
}

/** Opens all stores at once: each waits for the disk and for none of the others. */
export async function openStores(options: StoresJoinOptions, lifetime: DisposableStore): Promise<Stores> {
  const byHandFailure = 'What is run by hand is remembered by this window alone.';
  const [ledger, machine, budgets, runs, tools] = await Promise.all([
    openLedger(options, lifetime),
    openMachine(options),
    openText('samplingBudgets.json', 'What servers spend of the model is counted for this window alone.', options, lifetime),
    openText('toolRuns.json', byHandFailure, options, lifetime),
    openText('knownTools.json', byHandFailure, options, lifetime),
  ]);
  return { ledger, machine, budgets, byHandStorage: { runs, tools } };
}

/** Without a place to keep answers Duplex still works: it remembers nothing, so it asks. */
async function openLedger(options: StoresJoinOptions, lifetime: DisposableStore): Promise<Ledger> {
  const onFailure = (): void => tellNothingStored(options.reporter);
  const storage = await openText('permissions.json', 'The permissions cannot be stored.', options, lifetime, onFailure);
  const ledger = lifetime.add(new Ledger({ storage, workspace: workspaceKey(), now: () => new Date(), log: options.log }));
  await ledger.load();
  return ledger;
}

/**
 * Returns the id of this installation. Where none can be kept it is a new one each time, so what was stored for this machine is not
 * found and the person is asked anew.
 */
async function openMachine({ storageFolder, log }: StoresJoinOptions): Promise<string> {
  try {
    return await installationId(storageFolder);
  } catch (error) {
    log.error('This installation has no name that could be kept.', error);
    return randomUUID();
  }
}

/** A file that all windows share; without a place for it, each window remembers for itself. */
async function openText(
  name: string,
  failure: string,
  { storageFolder, log }: StoresJoinOptions,
  lifetime: DisposableStore,
  onFailure?: () => void,
): Promise<SharedText> {
  try {
    return lifetime.add(await SharedFile.open(path.join(storageFolder, name), log));
  } catch (error) {
    log.error(failure, error);
    onFailure?.();
    return new TextInMemory();
  }
}
