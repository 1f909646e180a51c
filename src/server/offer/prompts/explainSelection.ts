import { say, type EditorPrompt } from './editorPrompt.ts';
import { embed, embedIfText } from './embed.ts';

export const explainSelection: EditorPrompt = {
  name: 'explain_selection',
  title: 'Explain Selection',
  description: 'Explains what the person has selected in the editor.',
  arguments: [{ name: 'question', description: 'What they want to know about it; a general explanation if left out' }],
  compose: async ({ question = '' }, context) => {
    const selection = context.editor.documents.getSelection();
    if (selection === undefined) {
      return [say('No text editor is open in VS Code. Ask the person to open a file and select what they want explained.')];
    }
    const isEmpty = selection.ranges.every(({ start, end }) => start.line === end.line && start.character === end.character);
    return [
      say(
        question === ''
          ? 'Explain the selected code: what it does, why it is written that way as far as one can tell, and what to watch out for.'
          : `Answer this question about the selected code: ${question}`,
        isEmpty ? 'Nothing is selected: the place of the cursor is meant, with what surrounds it.' : '',
        'Look things up with go_to_definition, find_references and get_hover instead of guessing.',
        'The selection (lines and characters count from 1, ends are exclusive):',
      ),
      await embed('editor://selection', context),
      say('The file it is in, unsaved changes included:'),
      await embedIfText(selection.path, context),
    ];
  },
};
