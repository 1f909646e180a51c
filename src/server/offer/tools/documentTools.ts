import { getSelection } from './getSelection.ts';
import { readFile } from './readFile.ts';
import { readSymbol } from './readSymbol.ts';
import type { EditorTool } from './tool.ts';

export const documentTools: readonly EditorTool[] = [readFile, readSymbol, getSelection];
