import { neverAborted } from '../../../base/abort.ts';
import { sharedEvent } from '../../../base/events.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import type { GitQuery, WorkspacePort } from '../ports/workspacePort.ts';
import { requireShown, type Visibility } from './visibility.ts';
import { whenSeenLater } from './seenEvents.ts';

/** The query that `git://changes` shows. */
const firstPage: GitQuery = { limit: 200, maxChars: 25_000 };

/** Wraps the workspace port. What is withheld is left out before anything is counted. */
export function withholdingWorkspace(workspace: WorkspacePort, visibility: Visibility): WorkspacePort {
  const { isShown, isPath, redact, redactPart, secretLine } = visibility;
  const redactLong = (text: string): Promise<string> => redactPart(text, { from: 0, to: text.length });
  const getGitChanges: WorkspacePort['getGitChanges'] = async (query, signal) => {
    if (query.path !== undefined && !isPath(query.path)) {
      throw pathNotFound(query.path); // such as one without its folder's name, where there are several folders
    }
    if (query.path !== undefined && !isShown(query.path)) {
      // A withheld file is answered like a file without changes, whether or not it exists.
      return workspace.getGitChanges({ ...query, path: undefined, isShown: () => false }, signal);
    }
    const page = await workspace.getGitChanges({ ...query, isShown, redact: redactLong }, signal);
    const shown = page.changes.filter(({ path, oldPath }) => isShown(path) && (oldPath === undefined || isShown(oldPath)));
    const changes = await Promise.all(
      shown.map(async ({ diff, ...change }) => (diff === undefined ? change : { ...change, diff: await redactLong(diff) })),
    );
    return { ...page, changes };
  };
  return {
    findFiles: async (query, signal) => {
      const { files, hasMore } = await workspace.findFiles({ ...query, isShown }, signal);
      return { files: files.filter(isShown), hasMore };
    },
    listDirectory: async (query, signal) => {
      if (query.path !== undefined) {
        requireShown(query.path, visibility);
      }
      const { entries, hasMore, closed, unread } = await workspace.listDirectory({ ...query, isShown }, signal);
      const shown = entries.filter(({ path }) => isShown(path));
      return { entries: shown, hasMore, closed: closed.filter(isShown), unread: unread.filter(isShown) };
    },
    searchText: async (query, signal) => {
      const { matches, next, tooLarge } = await workspace.searchText({ ...query, isShown, redact: redactLong, secretLine }, signal);
      return {
        matches: matches.filter(({ path }) => isShown(path)).map((match) => ({ ...match, preview: redact(match.preview) })),
        next,
        tooLarge: tooLarge?.filter(isShown),
      };
    },
    listTasks: async (signal) => {
      const tasks = await workspace.listTasks(signal);
      return tasks.map((task) => ({ ...task, name: redact(task.name) }));
    },
    getGitChanges,
    onDidChangeGit: sharedEvent(whenSeenLater(workspace.onDidChangeGit, () => getGitChanges(firstPage, neverAborted()))),
  };
}
