import type { EditorTool } from './tool.ts';

export const documentTools: readonly EditorTool[] = [];
