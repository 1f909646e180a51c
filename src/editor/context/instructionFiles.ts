import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AllowedTexts, InstructionFile, InstructionFiles } from '../../chat/content/projectInstructions.ts';
import { toClientPath } from '../shared/clientPlaces.ts';

const fileName = 'AGENTS.md';
/** The most bytes of one file that go to a model. */
const maxTextBytes = 32_768;
/** A larger file is not read at all: VS Code reads files whole. */
const maxFileBytes = 2_000_000;
/** The most folders of the workspace in which an instruction file is looked for. */
const maxFolders = 10;
const lineBreak = 10;
/** How long, in ms, each step of reading an instruction file may take before the file is left out. */
const maxWaitMs = 5_000;
/** The most instruction files of which the text that the person allowed is kept, to show later what has changed. */
const maxAllowedTexts = 20;
/** The most characters of all allowed texts together; those for which there is no room are forgotten. */
const maxAllowedLength = 400_000;

/**
 * The instruction files of this workspace: `AGENTS.md` in the root of each folder. A link that leads out of the workspace is not
 * followed.
 */
export function createInstructionFiles(isShown: (path: string) => boolean, log: Log): InstructionFiles {
  return {
    isTrusted: () => vscode.workspace.isTrusted,
    read: async () => {
      const folders = (vscode.workspace.workspaceFolders ?? []).slice(0, maxFolders);
      const read = await Promise.all(folders.map(({ uri }) => readFile(vscode.Uri.joinPath(uri, fileName), isShown, log)));
      return read.filter((file) => file !== undefined);
    },
  };
}

/** Remembers, for this workspace, the texts that the person allowed last: a few, and not too much of them. */
export function allowedTexts(workspaceState: vscode.Memento, key: string): AllowedTexts {
  const texts = (): Readonly<Record<string, string>> => workspaceState.get(key, {});
  return {
    get: (uri) => texts()[uri],
    set: (uri, text) => {
      const others = Object.entries(texts()).filter(([other]) => other !== uri);
      let left = maxAllowedLength - text.length;
      // The newest are kept, as far as there is room.
      const newestFirst = others.slice(1 - maxAllowedTexts).reverse();
      const kept = newestFirst.filter(([, other]) => (left -= other.length) >= 0).reverse();
      void workspaceState.update(key, Object.fromEntries([...kept, [uri, text]]));
    },
  };
}

async function readFile(uri: vscode.Uri, isShown: (path: string) => boolean, log: Log): Promise<InstructionFile | undefined> {
  const path = toClientPath(uri);
  try {
    const stat = await atMost(vscode.workspace.fs.stat(uri), maxWaitMs);
    if (stat === undefined || (stat.type & vscode.FileType.File) === 0 || !isShown(path)) {
      return undefined;
    }
    if (stat.size > maxFileBytes) {
      log.warn(`${fileName} of a folder is larger than ${maxFileBytes} bytes and is not read.`);
      return undefined;
    }
    const bytes = await atMost(vscode.workspace.fs.readFile(uri), maxWaitMs);
    return bytes === undefined ? undefined : { path, uri: uri.toString(), ...decode(bytes) };
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) {
      log.warn(`${fileName} of a folder could not be read: ${messageOf(error)}`);
    }
    return undefined;
  }
}

/**
 * The text of a file, cut after a line if there is one: half a secret would not be recognised. A character that is cut is left
 * out.
 */
function decode(bytes: Uint8Array): Pick<InstructionFile, 'text' | 'totalBytes'> {
  if (bytes.length <= maxTextBytes) {
    return { text: new TextDecoder().decode(bytes) };
  }
  const end = bytes.lastIndexOf(lineBreak, maxTextBytes - 1) + 1;
  const text = new TextDecoder().decode(bytes.subarray(0, end === 0 ? maxTextBytes : end), { stream: true });
  return { text, totalBytes: bytes.length };
}
