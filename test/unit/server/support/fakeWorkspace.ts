import { Emitter } from '../../../../src/base/events.ts';
import type {
  DirectoryEntry,
  DirectoryPage,
  DirectoryQuery,
  FilePage,
  FileQuery,
  GitChange,
  GitPage,
  GitPlace,
  GitQuery,
  TaskEntry,
  TextMatch,
  TextPage,
  TextPlace,
  TextQuery,
  WorkspacePort,
} from '../../../../src/server/seen/ports/workspacePort.ts';

/** Keeps to the port's promises about order, limits and what is withheld; knows nothing of globs. */
export class FakeWorkspace implements WorkspacePort {
  files: readonly string[] = ['src/a.ts', 'src/b.ts', 'test/a.test.ts'];
  matches: readonly TextMatch[] = [matchAt('src/a.ts', 1), matchAt('src/a.ts', 2), matchAt('src/b.ts', 7)];
  tasks: readonly TaskEntry[] = [
    { name: 'build', source: 'npm', group: 'build' },
    { name: 'lint', source: 'Workspace' },
  ];
  changes: readonly GitChange[] = [{ path: 'src/a.ts', status: 'modified', diff: '@@ -1 +1 @@\n-a\n+b\n' }];
  directory: readonly DirectoryEntry[] = [
    { path: 'src', kind: 'directory' },
    { path: 'src/a.ts', kind: 'file', size: 31 },
  ];
  closed: readonly string[] = [];
  unread: readonly string[] = [];
  readonly directoriesAsked: DirectoryQuery[] = [];
  hasRepository = true;
  readonly asked: (FileQuery | TextQuery | GitQuery)[] = [];
  readonly didChangeGit = new Emitter<void>();
  readonly onDidChangeGit = this.didChangeGit.event;

  findFiles(query: FileQuery): Promise<FilePage> {
    this.asked.push(query);
    const { after, isShown = () => true, limit } = query;
    const all = this.files.filter((path) => (after === undefined || path > after) && isShown(path));
    return Promise.resolve({ files: all.slice(0, limit), hasMore: all.length > limit });
  }

  listDirectory(query: DirectoryQuery): Promise<DirectoryPage> {
    this.directoriesAsked.push(query);
    const { isShown = () => true, limit } = query;
    const shown = this.directory.filter(({ path }) => isShown(path));
    return Promise.resolve({ entries: shown.slice(0, limit), hasMore: shown.length > limit, closed: this.closed, unread: this.unread });
  }

  searchText(query: TextQuery): Promise<TextPage> {
    this.asked.push(query);
    const { after, isShown = () => true, limit } = query;
    const all = this.matches.filter((match) => (after === undefined || isLater(match, after)) && isShown(match.path));
    const matches = all.slice(0, limit);
    const last = matches.at(-1);
    return Promise.resolve({ matches, ...(all.length > limit && last !== undefined && { next: last }) });
  }

  listTasks(): Promise<readonly TaskEntry[]> {
    return Promise.resolve(this.tasks);
  }

  getGitChanges(query: GitQuery): Promise<GitPage> {
    this.asked.push(query);
    const { path: only, after, limit, isShown = () => true } = query;
    const key = (place: GitPlace): string => `${place.path}\0${place.status}`;
    const all = this.changes.filter(
      (change) => isShown(change.path) && (only === undefined || change.path === only) && (after === undefined || key(change) > key(after)),
    );
    return Promise.resolve({ changes: all.slice(0, limit), hasMore: all.length > limit, hasRepository: this.hasRepository });
  }
}

export function matchAt(path: string, line: number, preview = 'const total = 1;'): TextMatch {
  return { path, line, character: 7, endCharacter: 12, preview };
}

function isLater(match: TextPlace, place: TextPlace): boolean {
  return match.path > place.path || (match.path === place.path && match.line > place.line);
}
