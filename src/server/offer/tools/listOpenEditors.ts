import * as z from 'zod';
import { answerText, marked, nextCursor, note, paged, pageOfList } from './answers.ts';
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

const output = z.object({ editors: z.array(editor), note, nextCursor });
type Output = z.input<typeof output>;

export const listOpenEditors = defineTool({
  name: 'list_open_editors',
  title: 'List Open Editors',
  description: 'Lists the open editor tabs, which is active and which have unsaved changes.',
  input: z.strictObject(paged),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: (asked, { editor: port }) =>
    pageOfList({
      items: port.listOpenEditors(),
      asked,
      query: ['open editors'],
      build: (editors, rest): Output => ({ editors: [...editors], ...(editors.length === 0 && { note: 'No editor is open.' }), ...rest }),
      toText,
    }),
  toText,
});

function toText({ editors, ...endings }: Output): string {
  return answerText(editors.map(describe), endings);
}

function describe({ path, kind, languageId, group, isActive, isDirty, isPinned }: z.input<typeof editor>): string {
  return `${path} ${marked(isActive && 'active', isDirty && 'unsaved', isPinned && 'pinned', kind, languageId, `group ${group}`)}`;
}
