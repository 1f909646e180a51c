import * as os from 'node:os';
import * as vscode from 'vscode';
import type { HostEnvironment } from '../host/approval.ts';
import { listDefinitionFolders } from './shared/workspaceFolders.ts';

/** This window and this machine, as the host knows them. */
export function createHostEnvironment(
  ports: Pick<HostEnvironment, 'loginShellPath' | 'hasApprovedAny' | 'installationKey'>,
): HostEnvironment {
  const { env, platform } = process;
  return { ...ports, folders: listDefinitionFolders, userHome: os.homedir(), env, platform, isTrusted: () => vscode.workspace.isTrusted };
}
