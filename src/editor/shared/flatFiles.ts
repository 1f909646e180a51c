import * as vscode from 'vscode';

/** Files of a scheme of our own, without folders: nothing in it can be created, moved or deleted. */
export abstract class FlatFiles implements vscode.FileSystemProvider {
  abstract readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  abstract stat(uri: vscode.Uri): vscode.FileStat | Thenable<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Uint8Array | Thenable<Uint8Array>;

  abstract writeFile(uri: vscode.Uri, bytes: Uint8Array): void;

  /** What changes is told of unasked. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
