import * as z from 'zod';
import { defineTool, looksOnly } from './tool.ts';

const editor = z.object({
  path: z.string().describe('For other tools'),
  uri: z.string(),
  languageId: z.string().describe('Empty when unknown'),
  kind: z.enum(['text', 'notebook', 'custom', 'diff', 'webview', 'terminal', 'other']).describe('Of a diff, the right side is meant'),
  isActive: z.boolean().describe('In the group that was used last'),
  isDirty: z.boolean(),
  isPinned: z.boolean(),
  group: z.int().describe('The column, from 1'),
});

export const listOpenEditors = defineTool({
  name: 'list_open_editors',
  title: 'List Open Editors',
  description:
    'Lists the open editor tabs of the VS Code window: files, notebooks and diffs, which one is active and which have unsaved changes.',
  input: z.strictObject({}),
  output: z.object({ editors: z.array(editor) }),
  annotations: looksOnly,
  role: 'reader',
  call: (_input, { editor: port }) => ({ editors: [...port.listOpenEditors()] }),
});
