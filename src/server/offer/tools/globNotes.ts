import type { FileQuery, WorkspacePort } from '../../seen/ports/workspacePort.ts';

type GlobQuery = Pick<FileQuery, 'pattern' | 'exclude' | 'includeIgnored'>;

/** Why a glob found no file, and what to write instead. `isFilter`: the name of a folder stands for what is in it. */
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

/** What is wrong with it as far as it shows; else what globs can do. */
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
