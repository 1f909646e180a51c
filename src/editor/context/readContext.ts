import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import type { GivenContent } from '../../chat/content/chatContent.ts';
import type { ContextRef } from '../../chat/context/contextSources.ts';
import type { EditorPort } from '../../server/seen/ports/editorPort.ts';
import { readFileBytes, readFileText } from '../documents/fileText.ts';
import { imageType } from '../documents/imageType.ts';
import { findNotebook, findTextDocument } from '../shared/openDocuments.ts';
import { changesText, diagnosticsText, listingText, terminalText, testRunText, touches } from './contextTexts.ts';

export interface ReadPorts {
  readonly editor: EditorPort;
  /** Of what clients are shown: nothing else goes with a folder or a list. */
  readonly isShown: (path: string) => boolean;
}

const maxDiagnostics = 300;
const maxCommands = 5;
const maxDiffCharacters = 300_000;
const maxChangedFiles = 300;
const maxEntries = 500;
const maxDepth = 4;
/** Of several files that are attached together. */
const maxFiles = 60;
const maxFilesCharacters = 200_000;

/** What is attached, as it is now. */
export async function readContext(ref: ContextRef, ports: ReadPorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const { editor, isShown } = ports;
  switch (ref.kind) {
    case 'file':
      return [await readFile(ref.path, editor, signal)];
    case 'folder':
      return readFolder(ref.path, ports, signal);
    case 'selection':
      return [text(`${ref.path}, lines ${ref.lines.start} to ${ref.lines.end}`, ref.text)];
    case 'editors': {
      const paths = [
        ...new Set(editor.listOpenEditors().flatMap(({ path, kind }) => (kind === 'text' || kind === 'notebook' ? [path] : []))),
      ];
      return [text('', paths.filter(isShown).join('\n')), ...(await readFiles(paths, ports, signal))];
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
  return [text('', listingText(page.entries, page.hasMore)), ...(await readFiles(files, ports, signal))];
}

/** Those that are text, one after the other, until there is enough; a last line says what is missing. */
async function readFiles(paths: readonly string[], { editor, isShown }: ReadPorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const contents: GivenContent[] = [];
  const left: string[] = [];
  let room = maxFilesCharacters;
  for (const path of paths.filter(isShown)) {
    signal.throwIfAborted();
    const read = contents.length < maxFiles && room > 0 ? await tryText(path, editor, signal) : undefined;
    if (read === undefined || read.length > room) {
      left.push(path);
    } else {
      room -= read.length;
      contents.push(text(path, read));
    }
  }
  return left.length === 0 ? contents : [...contents, text('', `Not included, for size or because they are no text: ${left.join(', ')}`)];
}

async function tryText(path: string, editor: EditorPort, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await editor.documents.read(path, signal)).text;
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return undefined;
  }
}

async function readFile(path: string, editor: EditorPort, signal: AbortSignal): Promise<GivenContent> {
  const outside = outsideUri(path);
  if (outside !== undefined) {
    return readOutside(path, outside, signal);
  }
  const image = await imageIn(path, editor, signal);
  if (image !== undefined) {
    return image;
  }
  return text('', (await editor.documents.read(path, signal)).text);
}

async function imageIn(path: string, editor: EditorPort, signal: AbortSignal): Promise<GivenContent | undefined> {
  if (!/\.(?:png|jpe?g|gif|webp)$/i.test(path)) {
    return undefined;
  }
  const image = await editor.documents.readImage(path, signal);
  return image === undefined ? undefined : { kind: 'blob', name: '', mimeType: image.mimeType, data: image.base64 };
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

async function readOutside(path: string, uri: vscode.Uri, signal: AbortSignal): Promise<GivenContent> {
  const { bytes } = await readFileBytes(uri, path, signal);
  const mimeType = imageType(bytes);
  return mimeType === undefined
    ? text('', (await readFileText(uri, path, signal)).text)
    : { kind: 'blob', name: '', mimeType, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
}

function text(name: string, value: string): GivenContent {
  return { kind: 'text', name, text: value };
}
