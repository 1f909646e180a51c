import { createHash } from 'node:crypto';
import { parseEnv } from 'node:util';
import { readBounded } from '../platform/readBounded.ts';
import { definitionError } from './definitionErrors.ts';

export interface EnvFile {
  readonly path: string;
  /** Of the very bytes the variables were read from. */
  readonly hash: string;
  readonly variables: Readonly<Record<string, string>>;
}

const maxEnvFile = 1024 * 1024;

/** `shown` is the path for error messages, without the values of environment variables. */
export async function readEnvFile(file: string, shown: string): Promise<EnvFile> {
  const content = await readContent(file, shown);
  const hash = createHash('sha256').update(content).digest('base64url');
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(content.toString('utf8')))) {
    if (value !== undefined) {
      variables[name] = value;
    }
  }
  return { path: file, hash, variables };
}

async function readContent(file: string, shown: string): Promise<Buffer> {
  const content = await readBounded(file, maxEnvFile).catch(() => {
    throw definitionError('definitions.envFileUnreadable', { file: shown });
  });
  if (content === undefined) {
    throw definitionError('definitions.envFileUnusable', { file: shown });
  }
  return content;
}
