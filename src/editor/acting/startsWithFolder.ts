import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { entriesNamed, entriesOf, isPartOf, neededBy, partsOf, type NamedTask } from './taskEntries.ts';

/**
 * Pure. Whether VS Code may start the task by itself when its folder opens: because its entry says so, or because one that does
 * needs it, over however many others. VS Code does not tell an extension by whom a task was started.
 */
export function startsWithFolder(
  task: NamedTask & { readonly definition: { readonly type: string } },
  configured: readonly JsonObject[],
): boolean {
  const own = entriesOf(task, configured);
  const reached = new Set(configured.filter(isAutomatic));
  // A set that grows while it is walked is walked to its end.
  for (const entry of reached) {
    if (own.includes(entry) || neededBy(entry).some((needed) => isMeant(needed, task))) {
      return true;
    }
    neededBy(entry)
      .flatMap((needed) => entriesMeant(needed, configured))
      .forEach((next) => reached.add(next));
  }
  return false;
}

/** `"runOptions": {"runOn": "folderOpen"}`. */
function isAutomatic(entry: JsonObject): boolean {
  return partsOf(entry).some(({ runOptions }) => isJsonObject(runOptions) && runOptions['runOn'] === 'folderOpen');
}

/** For a task without an entry that could be found by its name. */
function isMeant(needed: unknown, { name, definition }: Parameters<typeof startsWithFolder>[0]): boolean {
  return isJsonObject(needed) ? isPartOf(needed, definition) : needed === name || needed === `${definition.type}: ${name}`;
}

function entriesMeant(needed: unknown, configured: readonly JsonObject[]): readonly JsonObject[] {
  if (typeof needed === 'string') {
    return entriesNamed(needed, configured);
  }
  return isJsonObject(needed) ? configured.filter((entry) => isPartOf(needed, entry)) : [];
}
