import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';

/** The most texts of one call that the policy looks at as paths. */
const maxPaths = 50;
/** How deep arguments are looked into. */
const maxDepth = 5;
const pathName = /path|file|uri|url|dir|folder|root|source|target|dest/i;

/**
 * The texts in arguments for another server that are likely paths, by the names of their members. Rules of the policy about paths look
 * at them. What a server calls otherwise is not found: such a rule narrows, and guarantees nothing.
 */
export function pathsInArguments(args: JsonObject): readonly string[] {
  const found: string[] = [];
  const look = (value: JsonValue | undefined, isPath: boolean, depth: number): void => {
    if (found.length >= maxPaths || depth > maxDepth) {
      return;
    }
    if (typeof value === 'string') {
      if (isPath && value !== '' && value.length <= maxPathLength) {
        found.push(value);
      }
    } else if (Array.isArray(value)) {
      value.slice(0, maxPaths).forEach((each: JsonValue) => look(each, isPath, depth + 1));
    } else if (isJsonObject(value)) {
      Object.entries(value).forEach(([name, member]) => look(member, pathName.test(name), depth + 1));
    }
  };
  look(args, false, 0);
  return found;
}
