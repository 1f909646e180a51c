import type { EditorTool } from './tool.ts';

export const workspaceTools: readonly EditorTool[] = [];
