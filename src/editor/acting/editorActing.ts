// acting/: what a client does in the editor: opening and changing files, running tasks and commands. Changed text is shown to the
// person first (changeReview.ts), or by VS Code itself where files move. This file is the port.
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { editorError } from '../shared/editorErrors.ts';
import type { ResolveChain } from '../../testRuns/chain/runChain.ts';
import type { ActingPort } from '../../server/seen/ports/actingPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { isSaved } from '../shared/saveDocument.ts';
import type { TextVersions } from '../documents/versions.ts';
import type { ActingViews } from './actingViews.ts';
import { ChangeReviewer } from './changeReview.ts';
import { CommandRunner } from './commandRunner.ts';
import type { OnEdits } from './madeEdits.ts';
import { MessageLimit } from './messageLimit.ts';
import { showFile } from './showFile.ts';
import { proposeEdits } from './proposals.ts';
import { ProviderChanges } from './providerChanges.ts';
import { statOf } from './targets.ts';
import { createTaskLookUp } from './taskDefinitions.ts';
import { startTask } from './taskRuns.ts';

export function createEditorActing(
  { reviews, notices }: ActingViews,
  versions: TextVersions,
  resolveChain: ResolveChain,
  onEdits: OnEdits,
): ActingPort & Disposable {
  const lifetime = new DisposableStore();
  const reviewer = new ChangeReviewer(reviews, onEdits);
  const changes = new ProviderChanges(reviewer, notices);
  const commands = lifetime.add(new CommandRunner(notices));
  const limit = new MessageLimit();
  const lookUpTask = createTaskLookUp(resolveChain);
  return {
    openFile: showFile,
    showMessage: (author, level, message) => {
      limit.demand(author.credentialId);
      notices.showMessage(author, level, message);
    },
    proposeEdits: (proposal, signal) => proposeEdits({ reviewer, versions }, proposal, signal),
    checkSave: async (path) => versionOf(await savable(path)),
    save: async (path, version) => {
      const document = await savable(path);
      if (versionOf(document) !== version) {
        throw editorError('editor.changedBeforeSaving', { path });
      }
      if (document !== undefined && !(await isSaved(document))) {
        throw editorError('editor.notSaved', { path });
      }
    },
    formatDocument: (request, origin, signal) => changes.formatDocument(request, origin, signal),
    renameSymbol: (request, origin, signal) => changes.renameSymbol(request, origin, signal),
    findCodeAction: (request) => changes.findCodeAction(request),
    applyCodeAction: (request, found, origin, signal) => changes.applyCodeAction(request, found, origin, signal),
    findTask: async (name) => (await lookUpTask(name)).found,
    startTask: (task, onOutput) => startTask(task, lookUpTask, onOutput),
    commandFolder,
    startCommand: (request, signal) => commands.start(request, signal),
    dispose: () => lifetime.dispose(),
  };
}

/** `undefined` for a file that is not open: it has nothing unsaved. */
async function savable(path: string): Promise<vscode.TextDocument | vscode.NotebookDocument | undefined> {
  const uri = fromClientPath(path);
  const open = [...vscode.workspace.notebookDocuments, ...vscode.workspace.textDocuments].find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open?.isUntitled === true) {
    throw editorError('editor.untitled', { path });
  }
  if (open === undefined && (await statOf(uri)) === undefined) {
    throw pathNotFound(path);
  }
  return open;
}

function versionOf(document: vscode.TextDocument | vscode.NotebookDocument | undefined): number | undefined {
  return document?.isDirty === true ? document.version : undefined;
}

async function commandFolder(cwd: string | undefined): Promise<string> {
  if (cwd === undefined) {
    return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
  }
  const uri = fromClientPath(cwd);
  const stat = await statOf(uri);
  if (stat === undefined || (stat.type & vscode.FileType.Directory) === 0 || uri.scheme !== 'file') {
    throw pathNotFound(cwd);
  }
  // The person sees where a link leads, and that is where the command runs, wherever the link may lead by then.
  return realpath(uri.fsPath);
}
