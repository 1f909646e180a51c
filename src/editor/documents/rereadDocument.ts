import * as vscode from 'vscode';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import type { IsShown } from '../../server/seen/ports/documentsPort.ts';
import { withOpened } from './diskFile.ts';

/**
 * After this time, in ms, VS Code has missed that a file changed: its folder went and came back at once, or `files.watcherExclude`
 * names it.
 */
export const missedMs = 1_200;

/** The name of no encoding. VS Code takes UTF-8 instead. */
const noEncoding = 'utf8-of-the-disk';

/** The readings that are under way, by URI. */
const reading = new Map<string, Promise<boolean>>();

/**
 * Lets VS Code read the file of an unmodified document anew, without showing it. Nothing but the request for another encoding makes
 * it do that, so it gets one that reads the same text: the document has the encoding of its file afterwards, and would be saved in
 * it all the while. Returns false where VS Code did not do it. What it made of the file has to be compared with the disk. Rejects
 * with `editor.pathNotFound` where the file is in a place that may not be shown.
 */
export async function reread(document: vscode.TextDocument, path: string, isShown?: IsShown): Promise<boolean> {
  const hasMark = await withOpened(document.uri, path, async ({ handle, realPath }) => {
    if (isShown?.(realPath) === false) {
      throw pathNotFound(path);
    }
    const { buffer } = await handle.read(Buffer.alloc(3), 0, 3, 0);
    return buffer.equals(byteOrderMark);
  });
  const name = document.uri.toString();
  const running = reading.get(name) ?? readAs(document, encodingsFor(document.encoding, hasMark));
  reading.set(name, running);
  try {
    return await running;
  } finally {
    if (reading.get(name) === running) {
      reading.delete(name);
    }
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The encodings to ask for, one after the other. */
function encodingsFor(encoding: string, hasMark: boolean): readonly string[] {
  if (encoding !== 'utf8' && encoding !== 'utf8bom') {
    return [encoding.toUpperCase(), encoding]; // the case of a name makes no difference to what is read
  }
  if (hasMark) {
    return [encoding === 'utf8' ? 'utf8bom' : 'utf8']; // VS Code sees the mark, and keeps it
  }
  return [noEncoding];
}

async function readAs({ uri, isDirty, isClosed }: vscode.TextDocument, encodings: readonly string[]): Promise<boolean> {
  let isRead = !isDirty && !isClosed;
  for (const encoding of isRead ? encodings : []) {
    try {
      await vscode.workspace.openTextDocument(uri, { encoding });
    } catch {
      isRead = false; // modified or removed meanwhile
    }
  }
  return isRead;
}
