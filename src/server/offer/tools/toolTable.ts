import { actingTools } from './actingTools.ts';
import { documentTools } from './documentTools.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { languageTools } from './languageTools.ts';
import { listOpenEditors } from './listOpenEditors.ts';
import { listWorkspaceFolders } from './listWorkspaceFolders.ts';
import { testTools } from './testTools.ts';
import type { EditorTool } from './tool.ts';
import { workspaceTools } from './workspaceTools.ts';

/** Published names: additive only. */
export const tools: readonly EditorTool[] = [
  listOpenEditors,
  getDiagnostics,
  listWorkspaceFolders,
  ...documentTools,
  ...languageTools,
  ...workspaceTools,
  ...testTools,
  ...actingTools,
];
