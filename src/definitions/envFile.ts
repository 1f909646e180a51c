import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AppError } from '../base/errors.ts';

export interface EnvFile {
  readonly path: string;
  /** Of the very bytes the variables were read from. */
  readonly hash: string;
  readonly variables: Readonly<Record<string, string>>;
}

const largestEnvFile = 1024 * 1024;

/** `shown` is the path for error messages, without the values of environment variables. */
export async function readEnvFile(file: string, shown: string): Promise<EnvFile> {
  const content = await readBounded(file, shown);
  const hash = createHash('sha256').update(content).digest('base64url');
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(content.toString('utf8')))) {
    if (value !== undefined) {
      variables[name] = value;
    }
  }
  return { path: file, hash, variables };
}

async function readBounded(file: string, shown: string): Promise<Buffer> {
  try {
    const handle = await open(file, 'r');
    try {
      const info = await handle.stat();
      if (!info.isFile() || info.size > largestEnvFile) {
        throw new AppError('definitions.envFileUnusable', `“${shown}” is not a file of at most 1 MB.`, { args: { file: shown } });
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AppError) {
      throw error;
    }
    throw new AppError('definitions.envFileUnreadable', `The envFile “${shown}” cannot be read.`, { args: { file: shown } });
  }
}
