import * as z from 'zod';
import { defineTool, looksOnly } from './tool.ts';

const folder = z.object({ name: z.string(), path: z.string().describe('Absolute'), uri: z.string(), index: z.int().min(0) });

export const listWorkspaceFolders = defineTool({
  name: 'list_workspace_folders',
  title: 'List Workspace Folders',
  description: 'Lists the folders that are open in the VS Code window, with their absolute paths.',
  input: z.strictObject({}),
  output: z.object({ folders: z.array(folder) }),
  annotations: looksOnly,
  role: 'reader',
  call: (_input, { editor }) => ({ folders: [...editor.listWorkspaceFolders()] }),
});
