import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ServerDefinition, WorkspaceFolder } from '../serverDefinition.ts';
import type { PastedServer } from './pastedServers.ts';

/**
 * A server from another program's file as an entry of our settings. There `${workspaceFolder}` is the first folder, so where the
 * file stands in another one, that one is named.
 */
export function adoptedServer(
  { name, kind, raw, folder }: Pick<ServerDefinition, 'name' | 'kind' | 'raw' | 'folder'>,
  folders: readonly WorkspaceFolder[],
): PastedServer {
  const definition = raw as JsonObject;
  if (folder === undefined || folders[0]?.path === folder.path) {
    return { name, definition, leftOut: [] };
  }
  const named = `\${workspaceFolder:${folder.name}}`;
  const renamed = withFolder(definition, named) as JsonObject;
  const cwd = kind === 'stdio' && renamed['cwd'] === undefined ? { cwd: named } : {};
  return { name, definition: { ...renamed, ...cwd }, leftOut: [] };
}

function withFolder(value: unknown, named: string): unknown {
  if (typeof value === 'string') {
    return value.replaceAll('${workspaceFolder}', () => named);
  }
  if (Array.isArray(value)) {
    return value.map((each) => withFolder(each, named));
  }
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withFolder(each, named)])) : value;
}
