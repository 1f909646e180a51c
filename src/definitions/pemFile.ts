import { createHash } from 'node:crypto';
import { readBounded } from '../platform/readBounded.ts';
import { definitionError } from './definitionErrors.ts';

const maxPem = 1024 * 1024;

/** `shown` is the path for error messages, without the values of environment variables. */
export async function hashPem(file: string, shown: string): Promise<string> {
  const content = await readBounded(file, maxPem).catch(() => undefined);
  if (content?.includes('-----BEGIN ') !== true) {
    throw definitionError('definitions.tlsFileUnusable', { file: shown });
  }
  return createHash('sha256').update(content).digest('base64url');
}
