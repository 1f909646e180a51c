import { getDocumentSymbols } from '../tools/getDocumentSymbols.ts';
import { getSyntaxTree } from '../tools/getSyntaxTree.ts';
import { debouncedEvent } from './debouncedEvent.ts';
import type { EditorTemplate } from './editorTemplate.ts';
import { definePathTemplate } from './pathTemplate.ts';

export const languageTemplates: readonly EditorTemplate[] = [
  definePathTemplate({
    start: 'symbols://file/',
    name: 'file-symbols',
    title: 'Symbols of a File',
    description: 'The outline of a file as a tree.',
    tool: getDocumentSymbols,
    changes: (path, editor) => debouncedEvent(editor.documents.changesOf(path)),
  }),
  definePathTemplate({
    start: 'syntax://file/',
    name: 'file-syntax',
    title: 'Syntax of a File',
    description: 'The nested syntactic ranges of a file with their kinds, and which providers they come from.',
    tool: getSyntaxTree,
    changes: (path, editor) => debouncedEvent(editor.documents.changesOf(path)),
  }),
];
