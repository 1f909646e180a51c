import * as z from 'zod';
import { answerText, nextCursor, note, paged, pageOfList } from './answers.ts';
import { defineTool, looksOnly } from './tool.ts';

const folder = z.object({ name: z.string(), path: z.string().describe('Absolute'), uri: z.string(), index: z.int().min(0) });

const output = z.object({ folders: z.array(folder), note, nextCursor });
type Output = z.input<typeof output>;

export const listWorkspaceFolders = defineTool({
  name: 'list_workspace_folders',
  title: 'List Workspace Folders',
  description: 'Lists the folders open in the window.',
  input: z.strictObject(paged),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: (asked, { editor }) =>
    pageOfList({
      items: editor.listWorkspaceFolders(),
      asked,
      query: ['folders'],
      build: (folders, rest): Output => ({ folders: [...folders], ...(folders.length === 0 && { note: noFolder }), ...rest }),
      toText,
    }),
  toText,
});

const noFolder = 'No folder is open in this window: files can only be seen once the person opens one.';

function toText({ folders, ...endings }: Output): string {
  return answerText(
    folders.map(({ index, name, path }) => `${index} ${name}: ${path}`),
    endings,
  );
}
