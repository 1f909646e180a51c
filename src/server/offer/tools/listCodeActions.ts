import * as z from 'zod';
import { clientError } from '../../errors/serverErrors.ts';
import { answerText, clip, marked, nextCursor, note, paged, pageOfList } from './answers.ts';
import { foundOrNote, whyNothing } from './languageShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const action = z.object({
  title: z.string().describe('What apply_code_action takes'),
  kind: z.string().describe('For example "quickfix" or "refactor.extract"; empty if not told'),
  isPreferred: z.boolean(),
  hasEdit: z.boolean().describe('Whether it can be previewed as a change of text'),
  hasCommand: z.boolean().describe('Whether applying it runs a command, which needs the role runner'),
});

const output = z.object({ actions: z.array(action), note, nextCursor });
type Output = z.input<typeof output>;

const nothing = 'No quick fix and no refactoring is offered for these lines; get_diagnostics shows which lines have problems.';

export const listCodeActions = defineTool({
  name: 'list_code_actions',
  title: 'List Code Actions',
  description: 'Lists the quick fixes and refactorings for lines of a file. Applies none.',
  input: z.strictObject({
    path: pathInput,
    startLine: z.int().min(1).describe('1-based'),
    endLine: z.int().min(1).describe('1-based, inclusive'),
    kind: z.string().max(200).optional().describe('For example "quickfix"'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ maxChars, cursor, ...query }, { editor: { language }, call }) => {
    if (query.endLine < query.startLine) {
      throw clientError('server.endBeforeStart');
    }
    const { found, note: mistake } = await foundOrNote(language.listCodeActions(query, call.signal), []);
    const why = mistake ?? (found.length === 0 ? await whyNothing(language, query.path, nothing) : undefined);
    return pageOfList({
      items: found.map((each) => ({ ...each, title: clip(each.title, maxChars / 5) })),
      asked: { maxChars, cursor },
      query: [query],
      build: (actions, rest): Output => ({ actions: [...actions], ...(why !== undefined && { note: why }), ...rest }),
      toText,
    });
  },
  toText,
});

function toText({ actions, ...endings }: Output): string {
  return answerText(
    actions.map(
      ({ title, kind, isPreferred, hasEdit, hasCommand }) =>
        `${title} ${marked(kind, isPreferred && 'preferred', hasEdit && 'edit', hasCommand && 'command')}`,
    ),
    endings,
  );
}
