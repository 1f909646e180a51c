import * as vscode from 'vscode';
import { checkTools } from '../../host/tools/checkTools.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import type { SchemaChecker } from '../../host/connection/schemaChecks.ts';
import { nativeText } from '../nativeText.ts';
import { pickServer } from './pickServer.ts';
import type { ReadOnlyDocuments } from '../native/readOnlyDocuments.ts';
import { toolReport } from './toolReport.ts';
import { withPatience } from '../native/progress.ts';

export interface CheckServerPorts {
  readonly registry: Pick<HostRegistry, 'servers' | 'outputsOf'>;
  readonly schemas: SchemaChecker;
  readonly documents: ReadOnlyDocuments;
}

/** `Check Server…`: checks the tools of a running server against the rules of the protocol, for the people who write that server. */
export async function checkServer({ registry, schemas, documents }: CheckServerPorts, argument: unknown): Promise<void> {
  const picked = await pickServer(registry.servers(), 'stoppable', argument);
  if (picked === undefined) {
    return;
  }
  const { id, label, tools } = picked;
  const title = vscode.l10n.t('Checking the tools of “{0}”', nativeText(label, 60));
  const checked = await withPatience(title, (signal) => checkTools({ tools, outputs: registry.outputsOf(id), schemas, signal }));
  if (checked !== undefined) {
    await documents.showRendered(vscode.l10n.t('Check of {0}', label), toolReport(label, checked, vscode.l10n.t));
  }
}
