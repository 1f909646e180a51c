import type { DisposableStore } from '../../base/lifecycle.ts';
import { watchSkillNames } from '../../editor/context/skillNames.ts';
import { localSkillRows } from '../../views/servers/localSkills.ts';
import type { RowNode } from '../../views/servers/serverNodes.ts';

/** Gives the servers view its rows of the workspace's skills, now and whenever they change. */
export function joinSkillRows(onRows: (rows: readonly RowNode[]) => void, lifetime: DisposableStore): void {
  watchSkillNames((skills) => onRows(localSkillRows(skills)), lifetime);
}
