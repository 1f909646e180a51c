import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../formatted.ts';
import { limits } from './limits.ts';
import { reference } from './reference.ts';

/** A page that is written by hand but for one part. */
export interface GeneratedPage {
  /** Relative to the repository. */
  readonly name: string;
  readonly path: string;
  /** The part as the code says it now. */
  readonly generate: () => string;
}

const root = join(import.meta.dirname, '../../..');
const startMark = '<!-- reference: written by `npm run reference` from the code; changes here are overwritten -->';
const endMark = '<!-- end of the reference -->';

/** The pages that `npm run reference` writes: everything that has a name, and every limit. */
export const generatedPages: readonly GeneratedPage[] = [page('src/server/README.md', reference), page('src/limits.md', limits)];

function page(name: string, generate: () => string): GeneratedPage {
  return { name, path: join(root, name), generate };
}

export function readPage({ path }: GeneratedPage): string {
  return readFileSync(path, 'utf8');
}

/** The page as it has to be. */
export async function regenerate(generated: GeneratedPage): Promise<string> {
  const { name, path, generate } = generated;
  const now = readPage(generated);
  const start = now.indexOf(startMark);
  const end = now.indexOf(endMark);
  if (start < 0 || end < start) {
    throw new Error(`${name} has lost the marks of its generated part.`);
  }
  const text = `${now.slice(0, start)}${startMark}\n\n${generate()}\n\n${now.slice(end)}`;
  return formatted(path, text);
}
