import * as z from 'zod';
import { answerText, clip, marked, nextCursor, note, paged, pageOfList } from './answers.ts';
import { defineTool, looksOnly } from './tool.ts';

const task = z.object({
  name: z.string().describe('What run_task takes'),
  source: z.string().describe('Where it comes from, for example "Workspace" or "npm"'),
  group: z.string().optional().describe('For example "build" or "test"'),
});

const output = z.object({ tasks: z.array(task), note, nextCursor });
type Output = z.input<typeof output>;

const noTasks =
  'VS Code knows no task here: there is no .vscode/tasks.json, and no extension found one (such as npm scripts in package.json).';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List Tasks',
  description: 'Lists the tasks of the workspace, from tasks.json and from extensions. Runs none.',
  input: z.strictObject(paged),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async (asked, { editor, call }) => {
    const tasks = await editor.workspace.listTasks(call.signal);
    return pageOfList({
      items: tasks.map((each) => ({ ...each, name: clip(each.name, asked.maxChars / 5) })),
      asked,
      query: ['tasks'],
      build: (shown, rest): Output => ({ tasks: [...shown], ...(shown.length === 0 && { note: noTasks }), ...rest }),
      toText,
    });
  },
  toText,
});

function toText({ tasks, ...endings }: Output): string {
  return answerText(
    tasks.map(({ name, source, group }) => `${name} ${marked(source, group)}`),
    endings,
  );
}
