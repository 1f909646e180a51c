// acting/: what a client does in the editor: opening and changing files, running tasks and commands. Changed text is shown to the
// person first (changeReview.ts), or by VS Code itself where files move. This file is the port.
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import type { ActingPort, OpenFileRequest, ShownFile } from '../../server/seen/ports/actingPort.ts';
import type { ResolveChain } from '../../testRuns/chain/runChain.ts';
import { refuseConflict, saveChecked } from '../documents/savedTexts.ts';
import type { TextVersions } from '../documents/versions.ts';
import { terminalSettings } from '../settingsReader.ts';
import { fromClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import type { ActingViews } from './actingViews.ts';
import type { OnEdits } from './changes/applyChanges.ts';
import { ChangeReviewer } from './changes/changeReview.ts';
import { proposeToPerson } from './changes/proposals.ts';
import { ProviderChanges } from './changes/providerChanges.ts';
import { statOf } from './changes/targets.ts';
import { CommandRunner } from './commandRunner.ts';
import { createTaskLookUp } from './tasks/taskDefinitions.ts';
import { startTask } from './tasks/taskRuns.ts';

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
    proposeEdits: (proposal, signal) => proposeToPerson({ reviewer, versions }, proposal, signal),
    checkSave: async (path) => {
      const document = await savable(path);
      await (document === undefined ? undefined : refuseConflict(document));
      return versionOf(document);
    },
    save: async (path, version) => {
      const document = await savable(path);
      if (versionOf(document) !== version) {
        throw editorError('editor.changedBeforeSaving', { path });
      }
      if (document !== undefined) {
        await saveChecked(document);
      }
    },
    formatDocument: (request, origin, signal) => changes.formatDocument(request, origin, signal),
    renameSymbol: (request, origin, signal) => changes.renameSymbol(request, origin, signal),
    findCodeAction: (request, guard) => changes.findCodeAction(request, guard),
    applyCodeAction: (request, found, origin, signal) => changes.applyCodeAction(request, found, origin, signal),
    findTask: async (name, folder) => (await lookUpTask(name, folder)).found,
    startTask: (task, onOutput, signal) => startTask(task, lookUpTask, onOutput, signal),
    commandPlace: async (author, cwd) => {
      const asked = cwd === undefined ? undefined : await commandFolder(cwd);
      return commands.place(author, { asked, usual: usualFolder(), terminal: describeTerminal() });
    },
    startCommand: (request, signal) => commands.start(request, signal),
    runningCommand: (author) => commands.running(author),
    endClient: (credentialId) => commands.endClient(credentialId),
    dispose: () => lifetime.dispose(),
  };
}

/** The open document to save; `undefined` for a file that is not open, which has nothing unsaved. */
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

/** The shell alone, where no setting says anything about it: that is the usual case, and easily read. */
function describeTerminal(): string {
  const { values } = terminalSettings();
  return Object.keys(values).length === 1 ? vscode.env.shell : JSON.stringify(values, undefined, 2);
}

function usualFolder(): string {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
}

async function commandFolder(cwd: string): Promise<string> {
  const uri = fromClientPath(cwd);
  const stat = await statOf(uri);
  if (stat === undefined || (stat.type & vscode.FileType.Directory) === 0 || uri.scheme !== 'file') {
    throw pathNotFound(cwd);
  }
  // The person is shown where a link leads now, and the command runs there, wherever the link may lead by then.
  return realpath(uri.fsPath);
}

/** Shows a file where a click in the Explorer would. The keyboard stays where the person types. */
async function showFile({ path, line, character = 1, preview }: OpenFileRequest): Promise<ShownFile> {
  const uri = fromClientPath(path);
  const stat = uri.scheme === 'untitled' ? undefined : await statOf(uri);
  if (uri.scheme !== 'untitled' && (stat === undefined || (stat.type & vscode.FileType.Directory) !== 0)) {
    throw pathNotFound(path);
  }
  const position = line === undefined ? undefined : new vscode.Position(line - 1, character - 1);
  const options = {
    preview,
    preserveFocus: true,
    ...(position !== undefined && { selection: new vscode.Range(position, position) }),
  } satisfies vscode.TextDocumentShowOptions;
  // Not `showTextDocument`: notebooks, pictures and custom editors open as themselves.
  await vscode.commands.executeCommand('vscode.open', uri, options);
  const lineCount = findTextDocument(uri.toString())?.lineCount;
  return line !== undefined && lineCount !== undefined && line > lineCount ? { lineCount } : {};
}

const burst = 3;
/** How long, in ms, it takes until a client that has shown its messages may show one more. */
const refillMs = 5_000;
/** The most clients whose messages are counted; the one that was silent for longest is forgotten. */
const maxClients = 1_000;

/** Three notifications at once from each client, then one every five seconds: a person must be able to read them. */
export class MessageLimit {
  readonly #clients = new Map<string, { left: number; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  demand(credentialId: string): void {
    const at = this.#now();
    const known = this.#clients.get(credentialId) ?? { left: burst, at };
    const left = Math.min(burst, known.left + (at - known.at) / refillMs);
    if (left < 1) {
      throw editorError('editor.tooManyMessages');
    }
    this.#clients.delete(credentialId);
    this.#clients.set(credentialId, { left: left - 1, at });
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients && oldest !== undefined) {
      this.#clients.delete(oldest);
    }
  }
}
