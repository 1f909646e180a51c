import * as z from 'zod';
import type { DirectoryPage } from '../../seen/ports/workspacePort.ts';
import { fitItems, maxChars } from './budget.ts';
import { pathInput } from './shapes.ts';
import { joinTexts } from './sourceText.ts';
import { defineTool, looksOnly } from './tool.ts';

const entry = z.object({
  path: z.string(),
  kind: z.enum(['file', 'directory', 'symlink']),
  size: z.int().optional().describe('Of a file, in bytes'),
});

const output = z.object({
  entries: z.array(entry),
  note: z.string().optional().describe('Why something is left out, and what to try'),
});

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List Directory',
  description: 'Lists what is in a folder, sorted by path. Folders that git ignores are listed but not looked into.',
  input: z.strictObject({
    path: pathInput.optional().describe('A folder; left out: the workspace'),
    depth: z.int().min(1).max(10).default(1).describe('Levels of folders'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, depth, maxChars: most }, { editor, call }) => {
    const page = await editor.workspace.listDirectory({ path: folderPath(path), depth, limit: maxEntries }, call.signal);
    const entries = fitItems(page.entries, most, toLine, kept);
    const note = noteFor(page, entries.length < page.entries.length);
    return { entries: [...entries], ...(note !== undefined && { note }) };
  },
  toText: ({ entries, note }) => joinTexts(...entries.map(toLine), note),
});

const maxEntries = 1_000;
/** For the notes. */
const kept = 1_000;
const maxClosedNames = 5;

/** Of several folders none is meant by a dot, but all are. */
function folderPath(path: string | undefined): string | undefined {
  return path === '.' || path === './' ? undefined : path;
}

function toLine({ path, kind, size }: z.input<typeof entry>): string {
  if (kind === 'directory') {
    return `${path}/`;
  }
  return kind === 'symlink' ? `${path} (link)` : `${path} ${size ?? '?'} bytes`;
}

function noteFor({ entries, hasMore, closed }: DirectoryPage, isCut: boolean): string | undefined {
  const notes = [
    ...(entries.length === 0 ? ['There is nothing to show here.'] : []),
    ...(hasMore || isCut ? ['There is more: list a folder in it, raise maxChars, or use find_files with a pattern.'] : []),
    ...(closed.length > 0 ? [`Not looked into, for git ignores them: ${someOf(closed)}. List them by their path.`] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, maxClosedNames).map((path) => (path.length > 100 ? `${path.slice(0, 100)}…` : path));
  return `${shown.join(', ')}${paths.length > maxClosedNames ? ` and ${paths.length - maxClosedNames} more` : ''}`;
}
