import type { EditorTool } from './tool.ts';

export const languageTools: readonly EditorTool[] = [];
