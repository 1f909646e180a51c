import { isJsonObject, type JsonObject } from '../../../base/json.ts';

/** The part of a task that tells which entry of tasks.json is its own. */
export interface NamedTask {
  readonly name: string;
  readonly definition: object;
  /** Whether somebody wrote the task down, so that all of it stands in tasks.json. */
  readonly isWritten: boolean;
}

/**
 * The entries of tasks.json that may be the task's own, the likeliest first. With more than one it is not known which VS Code
 * takes.
 */
export function entriesOf({ name, definition, isWritten }: NamedTask, configured: readonly JsonObject[]): readonly JsonObject[] {
  const named = entriesNamed(name, configured);
  const isLabelled = named.some((entry) => labelOf(entry) === name);
  const unnamed = isWritten && isLabelled ? [] : configured.filter((entry) => isUnnamed(entry, definition));
  return [...new Set([...named, ...unnamed])];
}

/**
 * The entries that `dependsOn` may mean by a name. Labels come first: an identifier may be anything, even the label of another
 * entry.
 */
export function entriesNamed(name: string, configured: readonly JsonObject[]): readonly JsonObject[] {
  const labelled = configured.filter((entry) => labelOf(entry) === name);
  const others = configured.filter((entry) => isNamed(entry, name));
  return [...new Set([...labelled, ...others])];
}

export function isNamed(entry: JsonObject, name: string): boolean {
  return ['label', 'taskName', 'identifier'].some((key) => entry[key] === name);
}

function labelOf(entry: JsonObject): unknown {
  return entry['label'] ?? entry['taskName'];
}

/** Whether an entry without a label stands for this task: then all that it says is part of the task's definition. */
function isUnnamed(entry: JsonObject, definition: object): boolean {
  const own = Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id' && !key.startsWith('_')));
  return labelOf(entry) === undefined && isPartOf(own, entry);
}

export function isPartOf(part: object, whole: object): boolean {
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => JSON.stringify(members[key]) === JSON.stringify(value));
}

/** What an entry says about tasks to run first, on any platform. */
export function neededBy(entry: JsonObject): readonly unknown[] {
  const all = partsOf(entry).map(({ dependsOn }) => dependsOn as unknown);
  return all.flatMap((needed): unknown[] => (Array.isArray(needed) ? (needed as unknown[]) : needed === undefined ? [] : [needed]));
}

/** Whether the tasks that an entry needs run one after the other, on any platform. */
export function runsInOrder(entry: JsonObject): boolean {
  return partsOf(entry).some(({ dependsOrder }) => dependsOrder === 'sequence');
}

/** Whether an entry says itself, in place of a name, how problems are found in the output. */
export function hasOwnMatcher(entry: JsonObject): boolean {
  return partsOf(entry).some(({ problemMatcher }) => [problemMatcher].flat().some(isJsonObject));
}

/** What tasks.json says for all tasks, on any platform, about the shell and its variables. */
export function shellOptions(forAll: JsonObject): readonly string[] {
  const options = partsOf(forAll)
    .flatMap((part) => [part, part['options']])
    .filter(isJsonObject);
  return ['shell', 'env', 'isShellCommand'].filter((name) => options.some((each) => each[name] !== undefined));
}

/** Whether the entry only runs other tasks. */
export function isOnlyOthers(entry: JsonObject): boolean {
  return (
    neededBy(entry).length > 0 &&
    partsOf(entry).every(({ command, script, type }) => command === undefined && script === undefined && isShell(type))
  );
}

/** The parts of an entry: what it says for all platforms, and for each. */
function partsOf(entry: JsonObject): readonly JsonObject[] {
  return [entry, entry['windows'], entry['osx'], entry['linux']].filter(isJsonObject);
}

function isShell(type: unknown): boolean {
  return type === undefined || type === 'shell' || type === 'process';
}

/**
 * Pure. Whether VS Code may start the task by itself when its folder opens: because its entry says so, or because an entry that
 * says so needs it, directly or through others. VS Code does not tell an extension by whom a task was started.
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

/** Whether the entry has `"runOptions": {"runOn": "folderOpen"}`. */
function isAutomatic(entry: JsonObject): boolean {
  return partsOf(entry).some(({ runOptions }) => isJsonObject(runOptions) && runOptions['runOn'] === 'folderOpen');
}

/** Whether `dependsOn` means this task, which may have no entry that could be found by its name. */
function isMeant(needed: unknown, { name, definition }: Parameters<typeof startsWithFolder>[0]): boolean {
  return isJsonObject(needed) ? isPartOf(needed, definition) : needed === name || needed === `${definition.type}: ${name}`;
}

function entriesMeant(needed: unknown, configured: readonly JsonObject[]): readonly JsonObject[] {
  if (typeof needed === 'string') {
    return entriesNamed(needed, configured);
  }
  return isJsonObject(needed) ? configured.filter((entry) => isPartOf(needed, entry)) : [];
}
