import { isOnAnotherMachine, systemOf } from '../platform/otherMachine.ts';
import { definitionError } from './definitionErrors.ts';
import type { ServerDefinition, WorkspaceFolder } from './serverDefinition.ts';
import type { Expanded } from './variables.ts';

/**
 * Before anything of a definition is looked at, and so before anybody was asked: what a repository or a remote machine wrote may
 * not make this one call another. What people write into their own settings may.
 */
export function refuseOtherMachines(
  { scope }: Pick<ServerDefinition, 'scope'>,
  paths: readonly (Expanded | undefined)[],
  folders: readonly WorkspaceFolder[],
  platform: NodeJS.Platform = process.platform,
): void {
  const homes = folders.map(({ path }) => path);
  const other = scope === 'user' ? undefined : paths.find((each) => isOnAnotherMachine(each?.value ?? '', homes, systemOf(platform)));
  if (other !== undefined) {
    throw definitionError('definitions.otherMachine', { file: other.shown });
  }
}
