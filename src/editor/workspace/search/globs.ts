import picomatch from 'picomatch';
import { editorError } from '../../shared/editorErrors.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';

const options: picomatch.PicomatchOptions = { dot: true, noextglob: true, nonegate: true, strictBrackets: false };

/** A glob for files: `*.ts` at any depth, `src/*.ts` from the folder, `src/` everything below. */
export function fileGlob(glob: string): PatternSource[] {
  return [compile(normalize(glob))];
}

/** The same for filters, where the name of a folder stands for all that is in it. */
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
