import * as z from 'zod';
import type { DirectoryEntry, DirectoryPage } from '../../seen/ports/workspacePort.ts';
import { answerText, nextCursor, note as noteShape, paged, pageOfList } from './answers.ts';
import { pathInput, pathUnlessAll } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const entry = z.object({
  path: z.string(),
  kind: z.enum(['file', 'directory', 'symlink']),
  size: z.int().optional().describe('Of a file, in bytes'),
});

const output = z.object({ entries: z.array(entry), note: noteShape, nextCursor });
type Output = z.input<typeof output>;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List Directory',
  description: 'Lists what is in a folder, the nearest first. Folders that git ignores are not looked into.',
  input: z.strictObject({
    path: pathInput.optional().describe('A folder; left out: the workspace'),
    depth: z.int().min(1).max(10).default(1).describe('Levels of folders'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, depth, ...asked }, { editor, call }) => {
    const page = await editor.workspace.listDirectory({ path: pathUnlessAll(path), depth, limit: maxEntries }, call.signal);
    return pageOfList({
      items: page.entries,
      asked,
      query: [path, depth],
      build: (shown: readonly DirectoryEntry[], rest): Output => {
        const note = noteFor(page, rest.nextCursor === undefined);
        return { entries: [...shown].sort(bySegments), ...(note !== undefined && { note }), ...rest };
      },
      toText,
    });
  },
  toText,
});

/** The most entries that are read for one listing. */
const maxEntries = 5_000;
/** The most folders that a note names. */
const maxNames = 5;

function toText({ entries, ...endings }: Output): string {
  return answerText(entries.map(toLine), endings);
}

/** Sorts by path, code unit by code unit, so that the content of a folder comes right after the folder. */
function bySegments(a: DirectoryEntry, b: DirectoryEntry): number {
  const [one, other] = [a.path.replaceAll('/', '\0'), b.path.replaceAll('/', '\0')];
  return one < other ? -1 : one > other ? 1 : 0;
}

function toLine({ path, kind, size }: z.input<typeof entry>): string {
  if (kind === 'directory') {
    return `${path}/`;
  }
  return kind === 'symlink' ? `${path} (link)` : `${path} ${size ?? '?'} bytes`;
}

function noteFor({ entries, hasMore, closed, unread }: DirectoryPage, isLast: boolean): string | undefined {
  const notes = [
    ...(entries.length === 0 ? ['There is nothing to show here.'] : []),
    ...(hasMore && isLast ? ['There is more: list a folder in it, or use find_files with a pattern.'] : []),
    ...(closed.length > 0 ? [`Not looked into: ${someOf(closed)}. List them by their path.`] : []),
    ...(unread.length > 0 ? [`Could not be read: ${someOf(unread)}.`] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNames).map((path) => (path.length > 100 ? `${path.slice(0, 100)}…` : path));
  return `${shown.join(', ')}${paths.length > maxNames ? ` and ${paths.length - maxNames} more` : ''}`;
}
