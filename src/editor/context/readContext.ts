import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import type { GivenContent } from '../../chat/content/chatContent.ts';
import type { ContextReading, ContextRef } from '../../chat/context/contextSources.ts';
import type { EditorPort } from '../../server/seen/ports/editorPort.ts';
import { readFileBytes, readFileText } from '../documents/fileText.ts';
import { imageType, isPdf } from '../documents/imageType.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../shared/openDocuments.ts';
import { changesText, diagnosticsText, listingText, terminalText, testRunText, touches } from './contextTexts.ts';
import { isReadWithheld, readOneFile, readShownFiles, text, type FilePorts, type ReadFile } from './shownFiles.ts';

export interface ReadPorts {
  readonly editor: EditorPort;
  /** Of what clients are shown: nothing else goes with a folder or a list. */
  readonly isShown: (path: string) => boolean;
}

/** Base64 makes a third more of it. */
const maxPdfBytes = 5_500_000;
const maxDiagnostics = 300;
const maxCommands = 5;
const maxDiffCharacters = 300_000;
const maxChangedFiles = 300;
const maxEntries = 500;
const maxDepth = 4;

/** What is attached, as it is now. */
export async function readContext(
  ref: ContextRef,
  ports: ReadPorts,
  signal: AbortSignal,
): Promise<Pick<ContextReading, 'content' | 'isWithheld'>> {
  const path = 'path' in ref ? ref.path : undefined;
  if (path === undefined || ref.kind !== 'file') {
    return { content: await readOther(ref, ports, signal), isWithheld: path !== undefined && !ports.isShown(path) };
  }
  const { content, realPath } = await readFile(path, ports, signal);
  return { content: [content], isWithheld: isReadWithheld(path, realPath, ports.isShown) };
}

/** Of all but single files, which are read for themselves. */
async function readOther(ref: ContextRef, ports: ReadPorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const { editor, isShown } = ports;
  switch (ref.kind) {
    case 'file':
    case 'folder':
      return readFolder(ref.path, ports, signal);
    case 'selection':
      return [text(`${ref.path}, lines ${ref.lines.start} to ${ref.lines.end}`, ref.text)];
    case 'editors': {
      const paths = [
        ...new Set(editor.listOpenEditors().flatMap(({ path, kind }) => (kind === 'text' || kind === 'notebook' ? [path] : []))),
      ];
      return [text('', paths.filter(isShown).join('\n')), ...(await readShownFiles(paths, filesOf(ports), signal))];
    }
    case 'diagnostics': {
      const { diagnostics } = await editor.getDiagnostics({ path: ref.path, waitMs: 0, isShown }, signal);
      const meant = diagnostics.filter((each) => touches(each, ref.lines));
      return [text('', diagnosticsText(meant.slice(0, maxDiagnostics), meant.length))];
    }
    case 'tests': {
      const run = editor.tests.findRun(undefined);
      return [text('', run === undefined ? 'No tests have run in this window yet.' : testRunText(run))];
    }
    case 'terminal':
      return [text('', terminalText(editor.terminals.listCommands().slice(-maxCommands)))];
    case 'changes': {
      const query = { path: ref.path, limit: maxChangedFiles, maxChars: maxDiffCharacters, isShown };
      return [text('', changesText(await editor.workspace.getGitChanges(query, signal)))];
    }
  }
}

async function readFolder(path: string, ports: ReadPorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const { isShown } = ports;
  const page = await ports.editor.workspace.listDirectory({ path, depth: maxDepth, limit: maxEntries, isShown }, signal);
  const files = page.entries.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []));
  return [text('', listingText(page.entries, page.hasMore)), ...(await readShownFiles(files, filesOf(ports), signal))];
}

function filesOf({ editor, isShown }: ReadPorts): FilePorts {
  return { documents: editor.documents, isShown };
}

async function readFile(path: string, ports: ReadPorts, signal: AbortSignal): Promise<ReadFile> {
  const outside = outsideUri(path);
  const pdf = /\.pdf$/i.test(path) ? await readPdf(path, outside ?? fromClientPath(path), signal) : undefined;
  if (pdf !== undefined) {
    return pdf;
  }
  return outside === undefined ? readOneFile(path, filesOf(ports), signal) : readOutside(path, outside, signal);
}

/** A file that the person chose by a dialog or dropped need not be of this workspace. */
function outsideUri(path: string): vscode.Uri | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(path)) {
    return undefined;
  }
  const uri = vscode.Uri.parse(path, true);
  const isKnown =
    vscode.workspace.getWorkspaceFolder(uri) !== undefined ||
    findTextDocument(uri.toString()) !== undefined ||
    findNotebook(uri.toString()) !== undefined;
  return isKnown ? undefined : uri;
}

/** Undefined for what is only called one: its text is read then, and its secrets are found. */
async function readPdf(path: string, uri: vscode.Uri, signal: AbortSignal): Promise<ReadFile | undefined> {
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  if (!isPdf(bytes)) {
    return undefined;
  }
  if (bytes.length > maxPdfBytes) {
    throw editorError('editor.tooLarge', { path, limit: Math.floor(maxPdfBytes / 1024 / 1024) });
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { content: { kind: 'blob', name: '', mimeType: 'application/pdf', data }, realPath };
}

async function readOutside(path: string, uri: vscode.Uri, signal: AbortSignal): Promise<ReadFile> {
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  const mimeType = imageType(bytes);
  if (mimeType === undefined) {
    const read = await readFileText(uri, path, signal);
    return { content: text('', read.text), realPath: read.realPath };
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { content: { kind: 'blob', name: '', mimeType, data }, realPath };
}
