import { createHash } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { readBounded } from '../platform/readBounded.ts';

const largestPem = 1024 * 1024;

/** `shown` is the path for error messages, without the values of environment variables. */
export async function hashPem(file: string, shown: string): Promise<string> {
  const content = await readBounded(file, largestPem).catch(() => undefined);
  if (content?.includes('-----BEGIN ') !== true) {
    throw new AppError('definitions.tlsFileUnusable', `“${shown}” cannot be read as a PEM file of at most 1 MB.`, {
      args: { file: shown },
    });
  }
  return createHash('sha256').update(content).digest('base64url');
}
