import type { EditorTool } from './tool.ts';

export const actingTools: readonly EditorTool[] = [];
