import picomatch from 'picomatch';
import { editorError } from '../../shared/editorErrors.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';

const options: picomatch.PicomatchOptions = { dot: true, noextglob: true, nonegate: true, strictBrackets: false };

/** A glob for files: `*.ts` at any depth, `src/*.ts` from the folder, `src/` everything below. */
export function fileGlob(glob: string): PatternSource[] {
  return [compile(normalize(glob))];
}

/**
 * A glob, in the little that all tools for globs agree on, that the names of all files match which `fileGlob` leaves: of a large
 * workspace not every name has to be looked at twice. `undefined` where names say nothing.
 */
export function nameGlob(glob: string): string | undefined {
  const name = normalize(glob).split('/').at(-1) ?? '';
  const isPlain = !glob.includes('|') && /^[\w.*?-]+$/.test(name) && /\w/.test(name) && !name.includes('**');
  // A bar parts two globs, wherever it stands. A question mark is a character here, and half of one there.
  return isPlain ? name.replaceAll(/[*?]+/g, '*') : undefined;
}

/** As `fileGlob` for filters, where the name of a folder stands for all that is in it. */
export function filterGlob(glob: string | undefined): PatternSource[] {
  if (glob === undefined || glob.trim() === '') {
    return [];
  }
  const pattern = normalize(glob);
  return [compile(pattern), compile(`${pattern.replace(/\/\*\*$/, '')}/**`)];
}

function normalize(glob: string): string {
  const relative = glob.trim().replace(/^(?:\.?\/)+/, '');
  const below = relative.endsWith('/') ? `${relative}**` : relative;
  return below.includes('/') ? below : `**/${below}`;
}

function compile(pattern: string): PatternSource {
  try {
    const { source, flags } = picomatch.makeRe(pattern, options);
    return { source, flags };
  } catch (error) {
    throw editorError('search.badGlob', { pattern }, { cause: error });
  }
}
