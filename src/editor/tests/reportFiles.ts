import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { readBounded } from '../../platform/files/ownFiles.ts';
import { leadsOut } from '../../platform/paths/pathReach.ts';
import { hasSensitiveName } from '../../secrets/secretNames.ts';
import type { ReportFile } from '../../testRuns/runStore.ts';
import { toClientPath } from '../shared/clientPlaces.ts';

export interface ReportFilesOptions {
  /** The globs of report files, relative to each folder of the workspace. */
  readonly globs: () => readonly string[];
  readonly onDidChangeGlobs: (listener: () => void) => Disposable;
  readonly log: Log;
}

/** The most bytes of one test report; a larger one is not read. */
const maxReportBytes = 10 * 1024 * 1024;
/** The most test reports that are read at one time; the rest is left out. */
const maxReports = 200;
/** How long, in ms, no report must have been written before they are read: those of one run are written together. */
const quietMs = 300;

/** The report files that the settings name. They are read when they are written, never before. */
export class ReportFiles implements Disposable {
  readonly #options: ReportFilesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #written = this.#lifetime.add(new Emitter<readonly ReportFile[]>());
  readonly #changed = new Map<string, vscode.Uri>();
  #watching = this.#lifetime.add(new DisposableStore());
  #timer: NodeJS.Timeout | undefined;

  readonly onDidWrite = this.#written.event;

  constructor(options: ReportFilesOptions) {
    this.#options = options;
    const watchAnew = (): void => this.#watch();
    this.#lifetime.add(options.onDidChangeGlobs(watchAnew));
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(watchAnew));
    this.#lifetime.add(toDisposable(() => clearTimeout(this.#timer)));
    this.#watch();
  }

  /** The reports written since then, for a run that just ended: the watcher may be late. */
  async writtenSince(time: number): Promise<readonly ReportFile[]> {
    const found = await Promise.all(this.#patterns().map((pattern) => vscode.workspace.findFiles(pattern, undefined, maxReports)));
    return this.#readAll(found.flat(), time);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #patterns(): vscode.RelativePattern[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return folders.flatMap((folder) => this.#options.globs().map((glob) => new vscode.RelativePattern(folder, glob)));
  }

  #watch(): void {
    this.#lifetime.release(this.#watching);
    this.#watching = this.#lifetime.add(new DisposableStore());
    for (const pattern of this.#patterns()) {
      const watcher = this.#watching.add(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
      const note = (uri: vscode.Uri): void => this.#note(uri);
      this.#watching.add(watcher.onDidCreate(note));
      this.#watching.add(watcher.onDidChange(note));
    }
  }

  #note(uri: vscode.Uri): void {
    if (this.#changed.size < maxReports) {
      this.#changed.set(uri.toString(), uri);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readChanged(), quietMs);
  }

  async #readChanged(): Promise<void> {
    const uris = [...this.#changed.values()];
    this.#changed.clear();
    const files = await this.#readAll(uris);
    if (files.length > 0) {
      this.#written.fire(files);
    }
  }

  async #readAll(uris: readonly vscode.Uri[], since = 0): Promise<readonly ReportFile[]> {
    const files: ReportFile[] = [];
    // Reports are read one after the other: together they may be large.
    for (const uri of uris.slice(0, maxReports)) {
      const file = await this.#read(uri, since);
      files.push(...(file === undefined ? [] : [file]));
    }
    return files;
  }

  async #read(uri: vscode.Uri, since: number): Promise<ReportFile | undefined> {
    try {
      return await readReport(uri, since);
    } catch (error) {
      this.#options.log.debug(`A test report could not be read: ${String(error)}`);
      return undefined; // the file is gone again, or still being written: then it changes once more
    }
  }
}

/**
 * Reads a report that was written since then. It must really lie in the workspace, whatever links lead there, and its name must
 * not promise secrets.
 */
async function readReport(uri: vscode.Uri, since: number): Promise<ReportFile | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || uri.scheme !== 'file') {
    return undefined;
  }
  const [root, real] = await Promise.all([realpath(folder.uri.fsPath), realpath(uri.fsPath)]);
  const way = path.relative(root, real);
  if (leadsOut(way) || hasSensitiveName(way) || hasSensitiveName(path.relative(folder.uri.fsPath, uri.fsPath))) {
    return undefined;
  }
  const { mtimeMs } = await stat(real);
  if (mtimeMs < since) {
    return undefined; // checked before reading: a workspace may be full of old reports
  }
  const content = await readBounded(real, maxReportBytes);
  return content === undefined ? undefined : { path: toClientPath(uri), text: content.toString('utf8'), writtenAt: mtimeMs };
}
