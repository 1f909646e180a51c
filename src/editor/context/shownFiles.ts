import { isAbort } from '../../base/errors.ts';
import type { GivenContent } from '../../chat/content/chatContent.ts';
import type { DocumentsPort, DocumentText } from '../../server/seen/ports/documentsPort.ts';

export interface FilePorts {
  readonly documents: Pick<DocumentsPort, 'read' | 'readImage'>;
  /** Of what clients are shown: nothing else goes with a folder or a list. */
  readonly isShown: (path: string) => boolean;
}

/** Of one file, with where it was really read: a link may have been moved after somebody looked at its name. */
export interface ReadFile {
  readonly content: GivenContent;
  readonly realPath?: string | undefined;
}

/** Of several files that are attached together. */
const maxFiles = 60;
const maxFilesCharacters = 200_000;

/** Those that are text, one after the other, until there is enough; a last line says what is missing. */
export async function readShownFiles(paths: readonly string[], ports: FilePorts, signal: AbortSignal): Promise<readonly GivenContent[]> {
  const contents: GivenContent[] = [];
  const left: string[] = [];
  let room = maxFilesCharacters;
  for (const path of paths.filter(ports.isShown)) {
    signal.throwIfAborted();
    const read = contents.length < maxFiles && room > 0 ? await tryRead(path, ports, signal) : undefined;
    if (isReadWithheld(path, read?.realPath, ports.isShown)) {
      continue; // as if its name had said so
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

/** A file of the workspace: as an image if it is one. */
export async function readOneFile(path: string, { documents }: Pick<FilePorts, 'documents'>, signal: AbortSignal): Promise<ReadFile> {
  const image = /\.(?:png|jpe?g|gif|webp)$/i.test(path) ? await documents.readImage(path, signal) : undefined;
  if (image !== undefined) {
    const { mimeType, base64, realPath } = image;
    return { content: { kind: 'blob', name: '', mimeType, data: base64 }, realPath };
  }
  const { text: read, realPath } = await documents.read(path, signal);
  return { content: text('', read), realPath };
}

/** By its name, or by what was opened under it. */
export function isReadWithheld(path: string, realPath: string | undefined, isShown: (path: string) => boolean): boolean {
  return !isShown(path) || (realPath !== undefined && !isShown(realPath));
}

export function text(name: string, value: string): GivenContent {
  return { kind: 'text', name, text: value };
}
