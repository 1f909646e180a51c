import { getDiagnostics } from './getDiagnostics.ts';
import { listOpenEditors } from './listOpenEditors.ts';
import { listWorkspaceFolders } from './listWorkspaceFolders.ts';
import type { Tool } from './tool.ts';

/** Published names: additive only. */
export const tools: readonly Tool[] = [listOpenEditors, getDiagnostics, listWorkspaceFolders];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export function findTool(name: unknown): Tool | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined;
}
