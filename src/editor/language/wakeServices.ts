import * as vscode from 'vscode';
import { walkFolder } from '../workspace/search/folderWalk.ts';
import { searchRoots } from '../workspace/searchRoots.ts';
import { untilAborted } from '../../base/abort.ts';

const sourceGlob = '**/*.{ts,tsx,js,jsx,mjs,cjs,py,go,rs,java,kt,cs,c,cc,cpp,h,hpp,php,rb,swift}';
const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;

/** Many services know of a workspace only once one of its files is open. Returns a document whose service is (being) woken. */
export async function wakeServices(signal: AbortSignal): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri }) => sourceFile.test(uri.path) && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
  if (open !== undefined) {
    return open;
  }
  const [quick] = await untilAborted(vscode.workspace.findFiles(sourceGlob, '**/node_modules/**', 1), signal).catch(() => []);
  signal.throwIfAborted();
  if (quick !== undefined) {
    return untilAborted(vscode.workspace.openTextDocument(quick), signal);
  }
  // VS Code's own search needs its ripgrep, which some builds lack.
  for (const [index, root] of searchRoots().entries()) {
    const folder = vscode.workspace.workspaceFolders?.[index];
    const files = await walkFolder(root, false, signal);
    const file = files.find((name) => sourceFile.test(name));
    if (file !== undefined && folder !== undefined) {
      return untilAborted(vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, file)), signal);
    }
  }
  return undefined;
}
