// shared/: what every part of the editor needs: paths and positions as clients write them, and how failures are said.
// This file is the way between a client's path and a URI of VS Code.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { folderPrefixes, parseClientPath, pathNotFound } from '../../platform/paths/clientPath.ts';
import type { TextRange } from '../../server/seen/ports/documentsPort.ts';
import { isOpen } from './openDocuments.ts';
import { foldersOfWorkspace } from './workspaceFolders.ts';

/**
 * A client's path is relative to the workspace, with forward slashes; untitled, virtual and outside documents keep their whole
 * URI.
 */
export function toClientPath(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    return uri.toString();
  }
  const prefix = folderPrefixes(vscode.workspace.workspaceFolders ?? [])[folder.index] ?? '';
  const relative = path.posix.relative(folder.uri.path, uri.path);
  // A name with a colon would read like a URI.
  return prefix === '' && /^[a-z][a-z0-9+.-]+:/i.test(relative) ? `./${relative}` : `${prefix}${relative}`;
}

/**
 * Accepts what `toClientPath` gives, an absolute path inside the workspace, or a URI. Outside the workspace only open documents
 * count; whether a client may see those is decided before. The file need not exist.
 */
export function fromClientPath(clientPath: string): vscode.Uri {
  const place = parseClientPath(clientPath, foldersOfWorkspace());
  if (place === undefined) {
    throw pathNotFound(clientPath);
  }
  const uri = place.kind === 'file' ? vscode.Uri.file(place.path) : vscode.Uri.parse(place.uri, true);
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined && !isOpen(uri)) {
    throw pathNotFound(clientPath);
  }
  return uri;
}

/** Converts a range of VS Code, which counts from 0, to one of clients, who count from 1. */
export function toTextRange({ start, end }: vscode.Range): TextRange {
  return {
    start: { line: start.line + 1, character: start.character + 1 },
    end: { line: end.line + 1, character: end.character + 1 },
  };
}

export function fromTextRange({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(start.line - 1, start.character - 1, end.line - 1, end.character - 1);
}
