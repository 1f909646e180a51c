import { join } from 'node:path';
import type { GitChange, GitQuery } from '../../../server/seen/ports/workspacePort.ts';
import { compareText } from '../search/fileList.ts';
import type { GitProgram } from './gitProgram.ts';
import { RepositoryChanges, type FileChange } from './repositoryChanges.ts';

/** Of one file's difference, when all are asked for and when only this one is. */
const bytesPerFile = 20_000;
const bytesOfOneFile = 400_000;
/** Of all differences together; later files come without theirs. */
const bytesOfAll = 1_000_000;
/** Each difference takes a program of its own; when this is over, the files that are left come without theirs. */
const budgetMs = 8_000;

export interface GitPlaces {
  readonly git: GitProgram;
  /** Absolute. */
  readonly repositories: readonly string[];
  /** `undefined` for what is outside the workspace. */
  toClientPath(absolute: string): string | undefined;
  /** The one file that is asked about, as a client path in its usual spelling. */
  readonly only: string | undefined;
}

/** What changed, in every repository of the workspace, sorted by path. */
export async function readGitChanges(places: GitPlaces, query: GitQuery, budget = budgetMs): Promise<GitChange[]> {
  const deadline = performance.now() + budget;
  const { isShown = () => true } = query;
  const found: { readonly change: FileChange; readonly repository: RepositoryChanges; readonly path: string; readonly oldPath?: string }[] =
    [];
  for (const root of places.repositories) {
    const repository = await RepositoryChanges.open(places.git, root, query.staged);
    for (const change of await repository.list(query.staged !== true)) {
      const clientPathOf = (file: string | undefined): string | undefined => {
        const path = file === undefined ? undefined : places.toClientPath(join(root, file));
        return path !== undefined && isShown(path) ? path : undefined;
      };
      const visible = visiblePart(change, clientPathOf(change.file), clientPathOf(change.oldFile));
      if (visible !== undefined && (places.only === undefined || isAbout(visible, places.only))) {
        found.push({ repository, ...visible });
      }
    }
  }
  found.sort((a, b) => compareText(a.path, b.path));
  const changes: GitChange[] = [];
  let left = bytesOfAll;
  for (const { change, repository, path, oldPath } of found) {
    const isLate = performance.now() > deadline && (places.only === undefined || changes.length > 0);
    const room = isLate ? 0 : Math.min(places.only === undefined ? bytesPerFile : bytesOfOneFile, left);
    const { text, isCut } = room === 0 ? { text: '', isCut: true } : await diffOf(repository, change, room, query.redact);
    left -= Math.min(left, text.length);
    changes.push({
      path,
      status: change.status,
      diff: isCut ? `${text}${pointer(path)}` : text,
      ...(oldPath !== undefined && { oldPath }),
    });
  }
  return changes;
}

function diffOf(
  repository: RepositoryChanges,
  change: FileChange,
  maxBytes: number,
  redact: GitQuery['redact'],
): ReturnType<RepositoryChanges['diff']> {
  return redact === undefined ? repository.diff(change, maxBytes) : repository.redactedDiff(change, maxBytes, redact);
}

/** A rename with one end out of sight looks like what the other end alone would be. */
function visiblePart(
  change: FileChange,
  path: string | undefined,
  oldPath: string | undefined,
): { readonly change: FileChange; readonly path: string; readonly oldPath?: string } | undefined {
  if (change.oldFile === undefined) {
    return path === undefined ? undefined : { change, path };
  }
  if (path !== undefined && oldPath !== undefined) {
    return { change, path, oldPath };
  }
  if (path !== undefined) {
    return { change: { file: change.file, status: 'added' }, path };
  }
  return oldPath === undefined || change.status === 'copied'
    ? undefined
    : { change: { file: change.oldFile, status: 'deleted' }, path: oldPath };
}

function isAbout({ path, oldPath }: { readonly path: string; readonly oldPath?: string }, only: string): boolean {
  return path === only || oldPath === only || path.startsWith(`${only.replace(/\/$/, '')}/`);
}

function pointer(path: string): string {
  return `\n[cut: call get_git_changes with path "${path}" for more, or read_file for the whole file]\n`;
}
