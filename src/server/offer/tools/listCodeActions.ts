import * as z from 'zod';
import { clientError } from '../../errors/clientErrors.ts';
import { pathInput } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const action = z.object({
  title: z.string().describe('What apply_code_action takes'),
  kind: z.string().describe('For example "quickfix" or "refactor.extract"; empty if not told'),
  isPreferred: z.boolean(),
  hasEdit: z.boolean().describe('Whether it can be previewed as a change of text'),
  hasCommand: z.boolean().describe('Whether applying it runs a command, which needs the role runner'),
});

export const listCodeActions = defineTool({
  name: 'list_code_actions',
  title: 'List Code Actions',
  description: 'Lists the quick fixes and refactorings that VS Code offers for lines of a file. Applies none of them.',
  input: z.strictObject({
    path: pathInput,
    startLine: z.int().min(1).describe('1-based'),
    endLine: z.int().min(1).describe('1-based, inclusive'),
    kind: z.string().max(200).optional().describe('Only of this kind, for example "quickfix"'),
  }),
  output: z.object({ actions: z.array(action) }),
  annotations: looksOnly,
  role: 'reader',
  call: async (query, { editor, call }) => {
    if (query.endLine < query.startLine) {
      throw clientError('server.endBeforeStart');
    }
    return { actions: [...(await editor.language.listCodeActions(query, call.signal))] };
  },
});
