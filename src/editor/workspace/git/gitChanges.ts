import { join } from 'node:path';
import { Ordered } from '../../../base/ordered.ts';
import { Slices } from '../../../base/slices.ts';
import type { GitChange, GitPage, GitPlace, GitQuery } from '../../../server/seen/ports/workspacePort.ts';
import { compareText, takeShown } from '../search/fileList.ts';
import type { GitProgram } from './gitProgram.ts';
import { RepositoryChanges, type GitFileChange } from './repositoryChanges.ts';

/** The longest, in ms, that a page may take: each diff takes a program of its own. Then the page ends. */
const budgetMs = 8_000;
/** The largest share of a page that one file among others may take. */
const sharePerFile = 0.4;
/** The number of characters that an entry takes beside its diff. */
const entryChars = 100;

export interface GitPlaces {
  readonly git: GitProgram;
  /** The roots of the repositories, as absolute paths. */
  readonly repositories: readonly string[];
  /** The client path of a file; `undefined` for one outside the workspace. */
  toClientPath(absolute: string): string | undefined;
  /** The one file or folder that is asked about, as a client path in its usual spelling. */
  readonly only: string | undefined;
}

interface Found {
  readonly change: GitFileChange;
  readonly repository: RepositoryChanges;
  readonly path: string;
  readonly oldPath?: string;
}

/** Reads what changed, in every repository of the workspace, sorted by path. Only what is on the page is looked at closely. */
export async function readGitChanges(places: GitPlaces, query: GitQuery, budget = budgetMs): Promise<GitPage> {
  const deadline = performance.now() + budget;
  // Only what is on the page is looked up on disk, and one more, to know whether there are more.
  const shown = await takeShown(await listAll(places, query), query.limit + 1, query.isShown ?? (() => true));
  const found = shown.slice(0, query.limit);
  const changes = query.summary === true ? await countLines(found) : await readDiffs(found, query, places.only, deadline);
  return { changes, hasMore: changes.length < shown.length, hasRepository: places.repositories.length > 0 };
}

/**
 * Every change after the previous page, in order. Whether a file may be shown is decided later, because that costs a look at the
 * disk; only renames are decided here. There may be a hundred thousand changes, so that others get their turn meanwhile.
 */
async function listAll(places: GitPlaces, query: GitQuery): Promise<Ordered<Found>> {
  const { after, isShown = () => true } = query;
  const found: Found[] = [];
  const slices = new Slices();
  for (const root of places.repositories) {
    const repository = await RepositoryChanges.open(places.git, root, query.staged);
    for (const change of await repository.list(query.staged !== true)) {
      const path = places.toClientPath(join(root, change.file));
      const visible =
        change.oldFile === undefined ? path && { change, path } : renamed(change, path, oldPathOf(places, root, change), isShown);
      if (visible && isWanted(visible, places.only, after)) {
        found.push({ repository, ...visible });
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
  }
  return Ordered.of(found, (a, b) => compareChanges(placeOf(a), placeOf(b)), slices);
}

function oldPathOf(places: GitPlaces, root: string, { oldFile }: GitFileChange): string | undefined {
  return oldFile === undefined ? undefined : places.toClientPath(join(root, oldFile));
}

function isWanted(found: Omit<Found, 'repository'>, only: string | undefined, after: GitPlace | undefined): boolean {
  return (only === undefined || isAbout(found, only)) && (after === undefined || compareChanges(placeOf(found), after) > 0);
}

async function readDiffs(
  found: readonly Found[],
  { maxChars, redact }: GitQuery,
  only: string | undefined,
  deadline: number,
): Promise<GitChange[]> {
  const changes: GitChange[] = [];
  let left = maxChars;
  for (const each of found) {
    if (changes.length > 0 && performance.now() > deadline) {
      break;
    }
    const room = Math.floor(only === undefined ? maxChars * sharePerFile : maxChars);
    const { text, isCut } = await diffOf(each, room, redact);
    const diff = isCut ? `${text}${pointer(each.path)}` : text;
    left -= JSON.stringify(diff).length + each.path.length + entryChars;
    if (changes.length > 0 && left < 0) {
      break;
    }
    changes.push({ ...described(each), diff });
  }
  return changes;
}

async function countLines(found: readonly Found[]): Promise<GitChange[]> {
  const counts = new Map<GitFileChange, { readonly addedLines?: number; readonly removedLines?: number }>();
  for (const repository of new Set(found.map((each) => each.repository))) {
    const own = found.filter((each) => each.repository === repository).map(({ change }) => change);
    for (const [change, count] of await repository.countLines(own)) {
      counts.set(change, count);
    }
  }
  return found.map((each) => ({ ...described(each), ...counts.get(each.change) }));
}

function described({ path, oldPath, change }: Found): GitChange {
  return { path, status: change.status, ...(oldPath !== undefined && { oldPath }) };
}

function diffOf({ repository, change }: Found, maxBytes: number, redact: GitQuery['redact']): ReturnType<RepositoryChanges['diff']> {
  return redact === undefined ? repository.diff(change, maxBytes) : repository.redactedDiff(change, maxBytes, redact);
}

/** A rename as it may be shown: with one end out of sight it looks like an added or a deleted file. */
function renamed(
  change: GitFileChange,
  newPath: string | undefined,
  formerPath: string | undefined,
  isShown: (path: string) => boolean,
): Omit<Found, 'repository'> | undefined {
  const path = newPath !== undefined && isShown(newPath) ? newPath : undefined;
  const oldPath = formerPath !== undefined && isShown(formerPath) ? formerPath : undefined;
  if (path !== undefined && oldPath !== undefined) {
    return { change, path, oldPath };
  }
  if (path !== undefined) {
    return { change: { file: change.file, status: 'added' }, path };
  }
  return oldPath === undefined || change.status === 'copied' || change.oldFile === undefined
    ? undefined
    : { change: { file: change.oldFile, status: 'deleted' }, path: oldPath };
}

function isAbout({ path, oldPath }: Pick<Found, 'path' | 'oldPath'>, only: string): boolean {
  const folder = `${only.replace(/\/$/, '')}/`;
  return [path, oldPath].some((place) => place === only || place?.startsWith(folder) === true);
}

function placeOf({ path, change }: Pick<Found, 'path' | 'change'>): GitPlace {
  return { path, status: change.status };
}

function compareChanges(a: GitPlace, b: GitPlace): number {
  return compareText(a.path, b.path) || compareText(a.status, b.status);
}

function pointer(path: string): string {
  return `\n[cut: get_git_changes with path "${path}" and a larger maxChars shows more, read_file the whole file]\n`;
}
