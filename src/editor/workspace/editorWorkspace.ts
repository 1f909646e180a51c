// workspace/: the workspace as a whole: folders (directoryList.ts), finding files and text (search/), Git changes (git/) and tasks
// (workspaceTasks.ts). This file is the port.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { ProgramThread, type RunProgram } from '../../platform/processes/runProgram.ts';
import type { FileQuery, WorkspacePort } from '../../server/seen/ports/workspacePort.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { directoryPage } from './directoryList.ts';
import { Git } from './git/git.ts';
import { filesMatching } from './search/fileList.ts';
import { createRipgrepEngine, findRipgrep } from './search/ripgrep.ts';
import { createScriptEngine } from './search/scriptEngine.ts';
import type { SearchEngine } from './search/searchEngine.ts';
import { SpareThread } from './search/patternThread.ts';
import { textMatching } from './search/textSearch.ts';
import { prefixOf, searchRoots } from './searchRoots.ts';
import { tasksOfWorkspace } from './workspaceTasks.ts';

/** `threadProgram`: the file of the bundle that runs in threads, for patterns and to start programs. */
export function createEditorWorkspace(threadProgram: string): WorkspacePort & Disposable {
  const lifetime = new DisposableStore();
  const { run } = lifetime.add(new ProgramThread(threadProgram));
  const git = lifetime.add(new Git(run));
  let engine: SearchEngine | undefined;
  const chooseEngine = (): SearchEngine => (engine ??= createEngine(threadProgram, lifetime.add(new SpareThread(threadProgram)), run));
  return {
    findFiles: (query, signal) => filesMatching(chooseEngine(), searchRoots(), withPrefix(query), signal),
    listDirectory: directoryPage,
    searchText: (query, signal) => textMatching(chooseEngine(), { roots: searchRoots(), unsaved: unsavedTexts() }, query, signal),
    listTasks: tasksOfWorkspace,
    getGitChanges: (query, signal) => git.getChanges(query, signal),
    onDidChangeGit: git.onDidChange,
    dispose: () => lifetime.dispose(),
  };
}

function withPrefix(query: FileQuery): FileQuery & { readonly prefix: string } {
  return { ...query, prefix: query.folder === undefined ? '' : prefixOf(fromClientPath(query.folder)) };
}

function createEngine(threadProgram: string, spare: SpareThread, run: RunProgram): SearchEngine {
  const script = createScriptEngine(threadProgram, spare);
  const ripgrep = findRipgrep(vscode.env.appRoot);
  return ripgrep === undefined ? script : createRipgrepEngine(ripgrep, script, run);
}

function unsavedTexts(): Map<string, string> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
  return new Map(unsaved.map((document) => [toClientPath(document.uri), document.getText()]));
}
