import * as vscode from 'vscode';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { nativeText } from '../nativeText.ts';
import { pickServer } from './pickServer.ts';

export interface AllowHostPorts {
  readonly servers: () => readonly ServerSnapshot[];
  /** Asks about the host in the question of the server's start. */
  readonly allow: (id: string, host: string) => Promise<unknown>;
}

/** `Allow Host…`: picks a host that a confined server wanted. Nothing is allowed by that: the question of its start is. */
export async function allowHost({ servers, allow }: AllowHostPorts, argument: unknown): Promise<void> {
  const server = await pickServer(servers(), 'wantsHost', argument);
  const wanted = server?.box?.wanted ?? [];
  if (server === undefined || wanted.length === 0) {
    return;
  }
  const placeHolder = vscode.l10n.t('Which host “{0}” may reach; you are asked once more', nativeText(server.label, 60));
  const items = wanted.map((host) => ({ host, label: nativeText(host) }));
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder });
  if (picked !== undefined) {
    await allow(server.id, picked.host);
  }
}
