import * as vscode from 'vscode';
import { toClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { firstDifference, firstHalf } from './fileBytes.ts';

/** The character that stands for bytes which are no character in the encoding a text was read in. */
const replacement = '\uFFFD';

/** Encodings in which every text can be written, except halves of characters. */
const holdsEverything: ReadonlySet<string> = new Set(['utf8', 'utf8bom', 'utf16le', 'utf16be']);

/** Whether saving would put other bytes where the file has some that could not be read. */
export async function wasReadWithLoss(document: vscode.TextDocument): Promise<boolean> {
  if (document.isUntitled || !document.getText().includes(replacement)) {
    return false;
  }
  const bytes = await bytesAt(document.uri);
  return bytes !== undefined && (await losesBytes(bytes, { encoding: document.encoding }));
}

/** Whether a file was read with loss: its text, written again, gives other bytes. */
export async function isReadWithLoss(choice: EncodingChoice, bytes: Uint8Array, text: string): Promise<boolean> {
  return text.includes(replacement) && !isSame(await encode(text, choice), bytes);
}

/**
 * Rejects a change where saving the text would lose characters, old ones or new ones. It is called for every change, whoever
 * makes it.
 */
export async function refuseLostCharacters(uri: vscode.Uri, document: vscode.TextDocument | undefined, after: string): Promise<void> {
  const path = toClientPath(uri);
  if (document !== undefined && (await wasReadWithLoss(document))) {
    throw editorError('editor.readWithLoss', { path, encoding: document.encoding });
  }
  const lost = await firstLost(after, document === undefined ? { uri } : { encoding: document.encoding });
  if (lost !== undefined) {
    const code = `U+${(after.codePointAt(lost) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const encoding = document?.encoding ?? 'files.encoding says';
    throw editorError('editor.notInEncoding', { path, encoding, code, line: after.slice(0, lost).split('\n').length });
  }
}

export type EncodingChoice = { readonly encoding: string } | { readonly uri: vscode.Uri };

/** The place of the first character that would not come back from the disk. */
async function firstLost(text: string, choice: EncodingChoice): Promise<number | undefined> {
  const half = await firstHalf(text);
  if (half !== undefined || ('encoding' in choice && holdsEverything.has(choice.encoding))) {
    return half;
  }
  const bytes = await encode(text, choice);
  if (Buffer.compare(withoutMark(bytes), Buffer.from(text)) === 0) {
    return undefined;
  }
  return firstDifference(text, await decode(bytes, choice));
}

async function losesBytes(bytes: Uint8Array, choice: EncodingChoice): Promise<boolean> {
  const text = await decode(bytes, choice);
  return text.includes(replacement) && !isSame(await encode(text, choice), bytes);
}

/** Encodes a text. VS Code's API has one signature for each way to choose the encoding. */
export function encode(text: string, choice: EncodingChoice): Thenable<Uint8Array> {
  return 'uri' in choice ? vscode.workspace.encode(text, choice) : vscode.workspace.encode(text, choice);
}

export function decode(bytes: Uint8Array, choice: EncodingChoice): Thenable<string> {
  return 'uri' in choice ? vscode.workspace.decode(bytes, choice) : vscode.workspace.decode(bytes, choice);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(withoutMark(one), withoutMark(other)) === 0;
}

/** The bytes without a byte order mark, which is no part of the text. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return bytes.subarray(3);
  }
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) ? bytes.subarray(2) : bytes;
}

export async function bytesAt(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined; // there is no such file
  }
}
