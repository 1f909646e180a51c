import * as z from 'zod';
import type { FileQuery, WorkspacePort } from '../../seen/ports/workspacePort.ts';
import { invalidCursor, placeCursor, placeInCursor } from '../catalog/cursor.ts';
import { answerText, fitAnswer, nextCursor, note } from './answers.ts';
import { glob, paging } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const output = z.object({ files: z.array(z.string()), note, nextCursor });
type Output = z.input<typeof output>;

export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find Files',
  description: 'Finds files by a glob, sorted by path.',
  input: z.strictObject({ pattern: glob, ...paging }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, maxChars, ...query }, { editor: { workspace }, call }) => {
    const mark = [query.pattern, query.exclude, query.includeIgnored];
    const [after] = cursor === undefined ? [] : placeInCursor(cursor, mark);
    if (typeof after === 'number' || (cursor !== undefined && after === undefined)) {
      throw invalidCursor();
    }
    const { files, hasMore } = await workspace.findFiles({ ...query, after }, call.signal);
    if (files.length === 0) {
      return { files: [], note: after === undefined ? await whyNoFiles(workspace, query, false, call.signal) : 'There is nothing more.' };
    }
    const build = (shown: readonly string[]): Output => {
      const last = shown.at(-1);
      const goesOn = last !== undefined && (hasMore || shown.length < files.length);
      return { files: [...shown], ...(goesOn && { nextCursor: placeCursor([last], mark) }) };
    };
    return fitAnswer(files, maxChars, build, toText);
  },
  toText,
});

function toText({ files, ...endings }: Output): string {
  return answerText(files, endings);
}

type GlobQuery = Pick<FileQuery, 'pattern' | 'exclude' | 'includeIgnored'>;

/** Says why a glob found no file, and what to write instead. With `isFilter`, the name of a folder stands for everything in it. */
export async function whyNoFiles(workspace: WorkspacePort, query: GlobQuery, isFilter: boolean, signal: AbortSignal): Promise<string> {
  const { pattern } = query;
  const finds = async (other: Partial<GlobQuery>): Promise<boolean> =>
    (await workspace.findFiles({ ...query, ...other, limit: 1 }, signal)).files.length > 0;
  const said = `No file matches "${pattern}"`;
  const below = `${pattern.replace(/\/+$/, '')}/**`;
  if (!isFilter && !pattern.endsWith('*') && (await finds({ pattern: below }))) {
    return `"${pattern}" is a folder: "${below}" finds the files in it.`;
  }
  if (!query.includeIgnored && (await finds({ includeIgnored: true }))) {
    return `${said} but files that git ignores: pass includeIgnored to see them.`;
  }
  if (query.exclude !== undefined && (await finds({ exclude: undefined }))) {
    return `${said} that is not excluded by "${query.exclude}".`;
  }
  return `${said}. ${oddityOf(pattern)}`;
}

/** Names what is visibly wrong with a pattern, or else explains what globs can do. */
function oddityOf(pattern: string): string {
  if (pattern.includes('\\')) {
    return 'A backslash takes the meaning from the character after it: write paths with forward slashes.';
  }
  if (count(pattern, '{') !== count(pattern, '}') || count(pattern, '[') !== count(pattern, ']')) {
    return 'It has a bracket without its other half, which then stands for itself.';
  }
  if (pattern.startsWith('!')) {
    return 'A leading "!" stands for itself: use exclude for what is to be left out.';
  }
  if (/^(?:[a-z]:)?\//i.test(pattern)) {
    return 'Globs are relative to the workspace: leave out the path of its folder.';
  }
  return 'Globs are relative to the workspace and match whole paths: "*" stays within a folder, "**/*.ts" goes through all, upper and lower case differ.';
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
