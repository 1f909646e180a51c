import * as z from 'zod';
import { defineTool, looksOnly } from './tool.ts';

const task = z.object({
  name: z.string().describe('What run_task takes'),
  source: z.string().describe('Where it comes from, for example "Workspace" or "npm"'),
  group: z.string().optional().describe('For example "build" or "test"'),
});

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List Tasks',
  description: 'Lists the tasks that VS Code knows in this workspace, from tasks.json and from extensions. Runs none of them.',
  input: z.strictObject({}),
  output: z.object({ tasks: z.array(task) }),
  annotations: looksOnly,
  role: 'reader',
  call: async (_input, { editor, call }) => ({ tasks: [...(await editor.workspace.listTasks(call.signal))] }),
});
