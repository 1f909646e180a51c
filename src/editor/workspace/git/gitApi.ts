import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';

/** The part of the built-in Git extension's published API that is used here. */
export interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
  readonly onDidChangeState: vscode.Event<GitApi['state']>;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly onDidChange: vscode.Event<void> };
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

/** Of the built-in extension while it is enabled; it throws when Git is not installed. */
export async function findGitApi(): Promise<GitApi | undefined> {
  try {
    const exports = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    return exports?.enabled === true ? exports.getAPI(1) : undefined;
  } catch {
    return undefined;
  }
}

/** The extension looks for repositories in its own time after the window opens. */
export async function untilInitialized(api: GitApi, timeoutMs: number): Promise<void> {
  if (api.state === 'initialized') {
    return;
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, timeoutMs);
    const listening: Disposable = api.onDidChangeState(done);
    function done(): void {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    }
  });
}
