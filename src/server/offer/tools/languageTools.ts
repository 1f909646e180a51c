import { findReferences } from './findReferences.ts';
import { getCallHierarchy } from './getCallHierarchy.ts';
import { getDocumentSymbols } from './getDocumentSymbols.ts';
import { getHover } from './getHover.ts';
import { getSyntaxTree } from './getSyntaxTree.ts';
import { goToDefinition } from './goToDefinition.ts';
import { listCodeActions } from './listCodeActions.ts';
import { searchSymbols } from './searchSymbols.ts';
import type { EditorTool } from './tool.ts';

export const languageTools: readonly EditorTool[] = [
  getDocumentSymbols,
  getSyntaxTree,
  searchSymbols,
  goToDefinition,
  findReferences,
  getHover,
  getCallHierarchy,
  listCodeActions,
];
