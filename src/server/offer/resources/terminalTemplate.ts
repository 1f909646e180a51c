import type { Event } from '../../../base/events.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import { getTerminalOutput, requireTerminal } from '../tools/getTerminalOutput.ts';
import { type EditorTemplate, jsonMimeType, readWithTool } from './editorResource.ts';

const start = 'terminal://';

/** The commands of one terminal. The names of terminals are not listed, because a person chose them. */
export const terminalTemplate: EditorTemplate = {
  listing: {
    uriTemplate: `${start}{id}`,
    name: 'terminal',
    title: 'Terminal',
    description: 'The latest commands in one terminal and what they printed.',
    mimeType: jsonMimeType,
  },
  role: getTerminalOutput.role,
  match: (uri) => {
    const id = /^terminal:\/\/([A-Za-z0-9_-]+)$/.exec(uri)?.[1];
    if (id === undefined) {
      return undefined;
    }
    return {
      uri,
      paths: [],
      read: (context) => readWithTool(getTerminalOutput, { terminalId: id }, context),
      check: ({ editor }) => requireTerminal(id, editor.terminals),
      changes: (editor) => changesOf(id, editor),
    };
  },
  list: (editor) =>
    editor.terminals.listTerminals().map(({ id }) => ({
      uri: `${start}${id}`,
      name: `terminal-${id}`,
      title: `Terminal ${id}`,
      mimeType: jsonMimeType,
    })),
  listChanges: (editor) => editor.terminals.onDidChangeTerminals,
  complete: ({ argument }, { editor }) => ({
    values: editor.terminals
      .listTerminals()
      .map(({ id }) => id)
      .filter((id) => argument.name === 'id' && id.startsWith(argument.value))
      .slice(0, 100),
  }),
};

function changesOf(id: string, editor: EditorPort): Event<void> {
  return (listener) =>
    editor.terminals.onDidChangeTerminal((changed) => {
      if (changed === id) {
        listener();
      }
    });
}
