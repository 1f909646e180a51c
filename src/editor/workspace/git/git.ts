// git/: what is changed in the repositories of the workspace. Which there are comes from VS Code's own Git extension if it is
// enabled; the changes themselves are read with the git program.
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../../base/events.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { RunProgram } from '../../../platform/processes/runProgram.ts';
import type { GitPage, GitQuery } from '../../../server/seen/ports/workspacePort.ts';
import { fromClientPath, toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { readGitChanges } from './gitChanges.ts';
import { findGit, GitProgram } from './gitProgram.ts';

/** Repositories change in bursts; whoever watches is told at most once in this time, in ms. */
const burstMs = 300;
/** How long, in ms, VS Code's Git extension may take to find the repositories. */
const initializeMs = 3_000;

/** The repositories of the workspace: those that the built-in Git extension knows, else they are looked for. */
export class Git implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #repositories = new Map<GitRepository, Disposable>();
  readonly #run: RunProgram;
  #api: Promise<GitApi | undefined> | undefined;
  #burst: NodeJS.Timeout | undefined;

  /** Fires when something may have changed. The Git extension is looked for only once somebody listens. */
  readonly onDidChange: Event<void> = (listener) => {
    void this.#load();
    return this.#changed.event(listener);
  };

  constructor(run: RunProgram) {
    this.#run = run;
    // Without the extension these are the only hints that something may have changed.
    this.#lifetime.add(vscode.workspace.onDidSaveTextDocument(() => this.#touch()));
    this.#lifetime.add(vscode.workspace.onDidCreateFiles(() => this.#touch()));
    this.#lifetime.add(vscode.workspace.onDidDeleteFiles(() => this.#touch()));
  }

  async getChanges(query: GitQuery, signal: AbortSignal): Promise<GitPage> {
    if (!vscode.workspace.isTrusted) {
      throw editorError('git.untrusted');
    }
    // The path of the only folder is empty, and means everything.
    const only = query.path === undefined ? undefined : toClientPath(fromClientPath(query.path)) || undefined;
    const api = await this.#load();
    const git = new GitProgram(api?.git.path ?? (await findGit()), signal, this.#run);
    const known = api === undefined ? [] : await knownRepositories(api);
    // The extension takes a while to see a new one, and leaves out those that the person closed.
    const repositories = known.length > 0 ? known : await searchRepositories(git);
    const toShown = await clientPathsOf(vscode.workspace.workspaceFolders ?? []);
    return readGitChanges({ git, repositories, only, toClientPath: toShown }, query);
  }

  dispose(): void {
    clearTimeout(this.#burst);
    for (const listening of this.#repositories.values()) {
      listening.dispose();
    }
    this.#lifetime.dispose();
  }

  /** The API of the Git extension. Once found it is kept; until then it is looked for each time. */
  async #load(): Promise<GitApi | undefined> {
    this.#api ??= findGitApi().then((api) => {
      if (api === undefined) {
        this.#api = undefined;
      } else {
        this.#watch(api);
      }
      return api;
    });
    return this.#api;
  }

  #watch(api: GitApi): void {
    const follow = (repository: GitRepository): void => {
      if (!this.#lifetime.isDisposed) {
        this.#repositories.get(repository)?.dispose();
        this.#repositories.set(
          repository,
          repository.state.onDidChange(() => this.#touch()),
        );
      }
    };
    api.repositories.forEach(follow);
    this.#lifetime.add(
      api.onDidOpenRepository((repository) => {
        follow(repository);
        this.#touch();
      }),
    );
    this.#lifetime.add(
      api.onDidCloseRepository((repository) => {
        this.#repositories.get(repository)?.dispose();
        this.#repositories.delete(repository);
        this.#touch();
      }),
    );
  }

  #touch(): void {
    if (this.#burst === undefined && !this.#lifetime.isDisposed) {
      this.#burst = setTimeout(() => {
        this.#burst = undefined;
        this.#changed.fire();
      }, burstMs);
    }
  }
}

async function knownRepositories(api: GitApi): Promise<string[]> {
  await untilInitialized(api, initializeMs);
  return [...new Set(api.repositories.map(({ rootUri }) => rootUri.fsPath))];
}

async function searchRepositories(git: GitProgram): Promise<string[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const roots = await Promise.all(
    folders.map(({ uri }) => git.text(uri.fsPath, ['rev-parse', '--show-toplevel']).catch((error: unknown) => noRepository(error))),
  );
  return [...new Set(roots.map((root) => root.trim()).filter((root) => root !== ''))];
}

/**
 * The answer where there is no repository, which is no failure: Git says so itself. Throws when something kept Git from saying
 * anything.
 */
function noRepository(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'git.failed') {
    return '';
  }
  throw code === 'ENOENT' ? editorError('git.missing') : error;
}

/** Makes a function from a real path, as Git tells it, to a client path: a workspace folder may be reached through a link. */
async function clientPathsOf(folders: readonly vscode.WorkspaceFolder[]): Promise<(absolute: string) => string | undefined> {
  const real = await Promise.all(
    folders
      .filter(({ uri }) => uri.scheme === 'file')
      .map(async ({ uri }) => ({ folder: uri.fsPath, real: await realpath(uri.fsPath).catch(() => uri.fsPath) })),
  );
  return (absolute) => {
    const linked = real.find((candidate) => absolute.startsWith(`${candidate.real}/`) || absolute.startsWith(`${candidate.real}\\`));
    const uri = vscode.Uri.file(linked === undefined ? absolute : `${linked.folder}${absolute.slice(linked.real.length)}`);
    return vscode.workspace.getWorkspaceFolder(uri) === undefined ? undefined : toClientPath(uri);
  };
}

/** The part of the built-in Git extension's published API that is used here. */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
  readonly onDidChangeState: vscode.Event<GitApi['state']>;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly onDidChange: vscode.Event<void> };
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

/** Finds the API of the built-in Git extension while it is enabled; the extension throws when Git is not installed. */
export async function findGitApi(): Promise<GitApi | undefined> {
  try {
    const exports = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    return exports?.enabled === true ? exports.getAPI(1) : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until the extension has looked for repositories, which it does in its own time after the window opens. */
async function untilInitialized(api: GitApi, timeoutMs: number): Promise<void> {
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
