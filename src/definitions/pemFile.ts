import { createHash } from 'node:crypto';
import { readBounded } from '../platform/readBounded.ts';
import { definitionError } from './definitionErrors.ts';

const maxPem = 1024 * 1024;

export interface PemFile {
  readonly text: string;
  readonly hash: string;
}

/** Read once: what is used is what was hashed. `shown` is the path for error messages, without the values of environment variables. */
export async function readPem(file: string, shown: string): Promise<PemFile> {
  const content = await readBounded(file, maxPem).catch(() => undefined);
  if (content?.includes('-----BEGIN ') !== true) {
    throw definitionError('definitions.tlsFileUnusable', { file: shown });
  }
  return { text: content.toString('utf8'), hash: createHash('sha256').update(content).digest('base64url') };
}
