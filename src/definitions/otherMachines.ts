import path from 'node:path';
import { linkedMachine } from '../platform/paths/pathReach.ts';
import { definitionError } from './definitionErrors.ts';
import type { ServerDefinition, WorkspaceFolder } from './serverDefinition.ts';
import type { Expanded } from './variables.ts';

/** A path in a definition, and the folder that it is relative to. */
export interface WantedPath {
  readonly file: Expanded;
  readonly base: string;
}

interface Surroundings {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Refuses paths that lead to another machine, by `..` or by a link. It is called before anything of a definition is looked
 * at, and so before anybody was asked: what a repository or a remote machine wrote must not make this machine contact
 * another. What people write into their own settings may.
 */
export async function refuseOtherMachines(
  { scope }: Pick<ServerDefinition, 'scope'>,
  wanted: readonly WantedPath[],
  { folders, userHome, platform = process.platform }: Surroundings,
): Promise<void> {
  if (scope === 'user') {
    return;
  }
  // The person chose to work in these folders, so their machines are allowed.
  const known = new Set<string>();
  for (const home of [...folders.map((folder) => folder.path), userHome]) {
    const machine = await linkedMachine(home, known, platform);
    if (machine !== undefined) {
      known.add(machine);
    }
  }
  const paths = platform === 'win32' ? path.win32 : path.posix;
  for (const { file, base } of wanted) {
    if ((await linkedMachine(paths.resolve(base, file.value), known, platform)) !== undefined) {
      throw definitionError('definitions.otherMachine', { file: file.shown });
    }
  }
}
