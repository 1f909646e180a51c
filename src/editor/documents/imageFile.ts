import { Buffer } from 'node:buffer';
import type { ImageFile } from '../../server/seen/ports/documentsPort.ts';
import { editorError } from '../shared/editorErrors.ts';
import { fromClientPath, toClientPath } from '../shared/clientUris.ts';
import { readFileBytes } from './fileText.ts';
import { imageType } from './imageType.ts';
import type { TextVersions } from './versions.ts';

const maxMebibytes = 4;

export async function readImage(path: string, versions: TextVersions, signal: AbortSignal): Promise<ImageFile | undefined> {
  const uri = fromClientPath(path);
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  const mimeType = imageType(bytes);
  if (mimeType === undefined) {
    return undefined;
  }
  if (bytes.length > maxMebibytes * 1024 * 1024) {
    throw editorError('editor.imageTooLarge', { path, limit: maxMebibytes });
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { path: toClientPath(uri), mimeType, size: bytes.length, base64, version: versions.ofBytes(bytes), realPath };
}
