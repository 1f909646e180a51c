import { pathToUri } from '../resources/pathTemplate.ts';
import { severity } from '../tools/shapes.ts';
import { completeTyped, pathArgument } from './arguments.ts';
import { say, type EditorPrompt } from './editorPrompt.ts';
import { embedIfText, embedTool } from './embed.ts';

export const fixDiagnostics: EditorPrompt = {
  name: 'fix_diagnostics',
  title: 'Fix Diagnostics',
  description: 'Fixes the problems VS Code reports for one file, or for the whole workspace.',
  arguments: [
    pathArgument('The file to fix; the whole workspace if left out'),
    {
      name: 'severity',
      description: 'The least severity to care about: error, warning, information or hint; warning if left out',
      values: severity.options,
      complete: ({ argument }) => completeTyped(severity.options, argument.value),
    },
  ],
  compose: async ({ path = '', severity: least = '' }, context) => {
    const what = path === '' ? 'the workspace' : path;
    const wanted = { severity: least === '' ? 'warning' : least };
    const task = say(
      `Fix the problems of severity "${wanted.severity}" and worse that VS Code reports for ${what}.`,
      'Find the cause of each before you change anything; do not silence a problem with a cast, a disabled rule or a deleted check.',
      'Change files with propose_edit, then call get_diagnostics with waitMs to see that they are gone and that no new ones came.',
      'The problems as they are now (lines and characters count from 1, ends are exclusive):',
    );
    if (path === '') {
      return [task, await embedTool('get_diagnostics', wanted, 'diagnostics://workspace', context)];
    }
    return [
      task,
      await embedTool('get_diagnostics', { ...wanted, path }, `diagnostics://file/${pathToUri(path)}`, context),
      say('The file, unsaved changes included:'),
      await embedIfText(path, context),
    ];
  },
};
