import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import { pictureType } from '../../base/pictures.ts';
import type { ContextReading, ContextRef } from '../../chat/context/contextSources.ts';
import type { GivenContent } from '../../chat/conversation/messageAttachments.ts';
import type { DocumentsPort, DocumentText } from '../../server/seen/ports/documentsPort.ts';
import type { DiagnosticEntry, EditorPort } from '../../server/seen/ports/editorPort.ts';
import type { WantedCommand } from '../../server/seen/ports/terminalsPort.ts';
import type { DirectoryEntry, GitPage } from '../../server/seen/ports/workspacePort.ts';
import type { TestRun } from '../../testRuns/testRun.ts';
import { isPdf } from '../documents/fileBytes.ts';
import { readFileBytes, readFileText } from '../documents/diskFile.ts';
import { fromClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../shared/openDocuments.ts';

export interface ReadPorts {
  readonly editor: EditorPort;
  /** Whether clients are shown this path; nothing else goes along with a folder or a list. */
  readonly isShown: (path: string) => boolean;
}

/** The largest PDF that is attached; Base64 makes a third more of it. */
const maxPdfBytes = 5_500_000;
/** The most diagnostics that are attached. */
const maxDiagnostics = 300;
/** The most terminal commands that are attached: the latest ones. */
const maxCommands = 5;
/** The most characters of diffs in attached changes. */
const maxDiffCharacters = 300_000;
/** The most files in attached changes. */
const maxChangedFiles = 300;
/** The most entries that are listed of an attached folder. */
const maxEntries = 500;
/** How many levels of an attached folder are listed. */
const maxDepth = 4;

/** Reads what is attached, as it is now. */
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

/** Reads everything but single files. */
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
      const run = await editor.tests.findRun(undefined);
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

/** The URI of a file outside of the workspace, which the person may have chosen in a dialog or dropped; else `undefined`. */
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

/** Reads a PDF; `undefined` for a file that is only named like one. That is read as text then, in which secrets are found. */
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
  const mimeType = pictureType(bytes);
  if (mimeType === undefined) {
    const read = await readFileText(uri, path, signal);
    return { content: text('', read.text), realPath: read.realPath };
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { content: { kind: 'blob', name: '', mimeType, data }, realPath };
}

interface FilePorts {
  readonly documents: Pick<DocumentsPort, 'read' | 'readImage'>;
  /** Whether clients are shown this path; nothing else goes along with a folder or a list. */
  readonly isShown: (path: string) => boolean;
}

/** The content of one file, with where it was really read: a link may have been moved after somebody looked at its name. */
interface ReadFile {
  readonly content: GivenContent;
  readonly realPath?: string | undefined;
}

/** The most files that are attached together. */
const maxFiles = 60;
/** The most characters of all files that are attached together. */
const maxFilesCharacters = 200_000;

/** Reads the files that are text, one after the other, until there is enough; a last line says what is missing. */
export async function readShownFiles(paths: readonly string[], ports: FilePorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const contents: GivenContent[] = [];
  const left: string[] = [];
  let room = maxFilesCharacters;
  for (const path of paths.filter(ports.isShown)) {
    signal.throwIfAborted();
    const read = contents.length < maxFiles && room > 0 ? await tryRead(path, ports, signal) : undefined;
    if (isReadWithheld(path, read?.realPath, ports.isShown)) {
      continue; // the same as for a file that is withheld by its name
    }
    if (read === undefined || read.text.length > room) {
      left.push(path);
    } else {
      room -= read.text.length;
      contents.push(text(path, read.text));
    }
  }
  return left.length === 0 ? contents : [...contents, text('', `Not included, for size or because they are no text: ${left.join(', ')}`)];
}

async function tryRead(path: string, { documents }: FilePorts, signal: AbortSignal): Promise<DocumentText | undefined> {
  try {
    return await documents.read(path, signal);
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return undefined;
  }
}

/** Reads a file of the workspace, as an image if it is one. */
export async function readOneFile(path: string, { documents }: Pick<FilePorts, 'documents'>, signal: AbortSignal): Promise<ReadFile> {
  const image = /\.(?:png|jpe?g|gif|webp)$/i.test(path) ? await documents.readImage(path, signal) : undefined;
  if (image !== undefined) {
    const { mimeType, base64, realPath } = image;
    return { content: { kind: 'blob', name: '', mimeType, data: base64 }, realPath };
  }
  const { text: read, realPath } = await documents.read(path, signal);
  return { content: text('', read), realPath };
}

/** Whether the file is withheld, by its name or by where it was really read. */
export function isReadWithheld(path: string, realPath: string | undefined, isShown: (path: string) => boolean): boolean {
  return !isShown(path) || (realPath !== undefined && !isShown(realPath));
}

function text(name: string, value: string): GivenContent {
  return { kind: 'text', name, text: value };
}

// What is attached, in words for models: a line for each thing, and what was left out.

/** Lines from `start` to `end`, both included, from 1. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

function diagnosticsText(diagnostics: readonly DiagnosticEntry[], total: number): string {
  const lines = diagnostics.map(({ path, range: { start }, severity, message, source, code }) => {
    const by = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
    return `${severity} ${path}:${start.line}:${start.character} ${indented(message)}${by === '' ? '' : ` (${by})`}`;
  });
  const left = total - diagnostics.length;
  return [
    ...(lines.length === 0 ? ['No problems are shown.'] : lines),
    ...(left > 0 ? [`${left} more problems are not listed.`] : []),
  ].join('\n');
}

function touches({ range }: DiagnosticEntry, lines: Lines | undefined): boolean {
  return lines === undefined || (range.start.line <= lines.end && range.end.line >= lines.start);
}

function testRunText({ command, status, exitCode, startedAt, counts, failures, output }: TestRun): string {
  const facts = [`status: ${status}`, ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]), `started ${startedAt}`].join(', ');
  return [
    `$ ${command} (${facts})`,
    ...(counts === undefined ? [] : [`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`]),
    ...failures.map(({ name, message, path, line }) => {
      const place = path === undefined ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
      return `Failed: ${name}${place}\n  ${indented(message)}`;
    }),
    ...(output === '' ? [] : [`Output:\n${output}`]),
  ].join('\n');
}

function terminalText(commands: readonly WantedCommand[]): string {
  return commands
    .map(({ command, exitCode, isRunning, output, isUnheard, isCut }) => {
      const state = isRunning ? 'running' : exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
      const remark = isUnheard === true ? '[its output was not heard]' : isCut ? '[the beginning is cut]\n' : '';
      return `$ ${command} (${state})\n${remark}${output}`;
    })
    .join('\n');
}

function changesText({ changes, hasMore }: GitPage): string {
  const files = changes.map(({ path, oldPath, status, diff }) => {
    const head = `${status} ${oldPath === undefined ? '' : `${oldPath} → `}${path}`;
    return diff === undefined || diff === '' ? head : `${head}\n${diff}`;
  });
  return [
    ...(files.length === 0 ? ['Nothing has changed since the last commit.'] : files),
    ...(hasMore ? ['More files are not listed.'] : []),
  ].join('\n');
}

function listingText(entries: readonly DirectoryEntry[], hasMore: boolean): string {
  const lines = entries.map(({ path, kind, size }) =>
    kind === 'directory' ? `${path}/` : `${path}${size === undefined ? '' : ` (${size} bytes)`}`,
  );
  return [...(lines.length === 0 ? ['The folder is empty.'] : lines), ...(hasMore ? ['More is not listed.'] : [])].join('\n');
}

/** The text with all lines but the first indented, because they belong to that one. */
function indented(text: string): string {
  return text.replace(/\r?\n/g, '\n  ');
}
