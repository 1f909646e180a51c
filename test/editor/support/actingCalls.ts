import * as vscode from 'vscode';
import type { TestAccess } from '../../../src/app/app.ts';
import { answerNext, until, workspacePath } from './duplex.ts';

export interface ToolResult {
  readonly isError: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

/** Calls a tool of the editor's own server as a key binding would. */
export function startTool(tool: string, args: object): Promise<ToolResult> {
  const result = Promise.resolve(vscode.commands.executeCommand<ToolResult>('duplex.runTool', { server: 'editor', tool, arguments: args }));
  result.catch(() => undefined); // looked at later
  return result;
}

/** The same; the person lets the call itself through. What proposes a change asks in its diff alone. */
export async function callTool(access: TestAccess, tool: string, args: object): Promise<{ readonly result: Promise<ToolResult> }> {
  const result = startTool(tool, args);
  if (/^(?:run|save)_/.test(tool)) {
    await answerNext(access, 'ownAct', 'allowOnce');
  } else if (!/^(?:propose|format|rename|apply)_/.test(tool)) {
    await answerNext(access, 'callTool', 'allowOnce');
  }
  return { result };
}

export function failureOf(result: ToolResult): string {
  return result.isError ? result.content.map(({ text = '' }) => text).join('') : '';
}

export function proposalTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isProposalTab);
}

export function isProposalTab({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'duplex-proposal';
}

/** The proposed texts, writable, once as many diffs are open. */
export async function proposals(count = 1): Promise<vscode.TextDocument[]> {
  const tabs = await until(`${count} proposed diffs`, () => (proposalTabs().length === count ? proposalTabs() : undefined));
  return Promise.all(tabs.map(({ input }) => vscode.workspace.openTextDocument((input as vscode.TabInputTextDiff).modified)));
}

/** In the editor's title. */
type ReviewCommand = 'acceptAndSave' | 'accept' | 'reject' | 'acceptAllAndSave' | 'acceptAll' | 'rejectAll';

/** As quickly as a person may press. */
const pressMs = 150;

/** Presses a button of the review until it counts: a diff that has just appeared is not armed yet. */
export async function answer<T>(command: ReviewCommand, argument: unknown, result: Promise<T>): Promise<T> {
  let isDone = false;
  const done = result.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined); // the caller sees it
  await until(
    `${command} to count`,
    async () => {
      await vscode.commands.executeCommand(`duplex.${command}`, argument);
      return isDone ? true : undefined;
    },
    pressMs,
  );
  return done;
}

export async function writeFile(name: string, text: string | Uint8Array): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(workspacePath(name));
  await vscode.workspace.fs.writeFile(uri, typeof text === 'string' ? Buffer.from(text) : text);
  return uri;
}

export async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

/** In a browser VS Code saves by itself after a while; what is unsaved must stay so here. */
export async function keepUnsaved(): Promise<void> {
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
}

/** Lets go of everything that a test left unsaved. */
export async function discardAll(): Promise<void> {
  // A setting that a test has put back is saved by VS Code itself, a moment later.
  const isOfTests = ({ scheme, path }: vscode.Uri): boolean => scheme !== 'duplex-proposal' && !path.endsWith('/User/settings.json');
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && isOfTests(uri))) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  for (const notebook of vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
