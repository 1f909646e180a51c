import type { EditorTool } from './tool.ts';

export const testTools: readonly EditorTool[] = [];
