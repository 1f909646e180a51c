import * as z from 'zod';
import { defineTool, looksOnly } from './tool.ts';

const editor = z.object({
  path: z.string(),
  uri: z.string(),
  languageId: z.string(),
  kind: z.enum(['text', 'notebook', 'custom', 'diff', 'webview', 'terminal', 'other']),
  isActive: z.boolean(),
  isDirty: z.boolean(),
  isPinned: z.boolean(),
  group: z.int(),
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
