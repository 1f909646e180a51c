import * as path from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { AuditLog } from '../consent/audit/auditLog.ts';
import { createAuditKey } from '../editor/auditKey.ts';
import { RotatingLines } from '../platform/rotatingLines.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { tellNothingRecorded } from '../views/auditNotice.ts';

/** Ten parts of ten megabytes: months of work, and an hour of a client that does nothing but call. */
const limits = { maxBytes: 10 * 1024 * 1024, maxParts: 10 };

export interface AuditJoinOptions {
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  readonly secrets: vscode.SecretStorage;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

export interface AuditJoin {
  readonly audit: AuditLog;
  readonly lines: RotatingLines;
  readonly key: () => string | Promise<string>;
}

/** Joins the record to the file that all windows append to. */
export function openAudit({ storageFolder, secrets, reporter, log }: AuditJoinOptions, lifetime: DisposableStore): AuditJoin {
  const file = path.join(storageFolder, 'audit.jsonl');
  const lines = new RotatingLines(file, limits);
  const key = createAuditKey(secrets, `${file}.key.lock`, log);
  const onFailure = (error: unknown): void => {
    log.error('The audit log could not be written.', error);
    tellNothingRecorded(messageOf(error), reporter);
  };
  const audit = lifetime.add(new AuditLog({ storage: lines, key, clock: systemClock, onFailure }));
  return { audit, lines, key };
}
