import { hasCode } from '../../../base/errors.ts';
import type { Event } from '../../../base/events.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { EditorPort, OpenEditor } from '../../seen/ports/editorPort.ts';
import { usualChars } from '../tools/answers.ts';
import { cutAtLine, goOnAt, readBeginning, type TextRest } from '../tools/sourceText.ts';
import type { EditorCall } from '../tools/tool.ts';
import { jsonMimeType, type EditorResource } from './editorResource.ts';

const uri = 'editor://active';

/** The active entry of `list_open_editors`, with text and version of its document. */
export const activeEditor: EditorResource = {
  uri,
  role: 'reader',
  listing: {
    uri,
    name: 'active-editor',
    title: 'Active Editor',
    description:
      'The active editor tab with its text, unsaved changes included, and version; {"isActive": false} when no document is shown.',
    mimeType: jsonMimeType,
  },
  read: async (context) => ({ kind: 'json', value: await describeActive(context) }),
  changes: (editor) => activeChanges(editor),
};

async function describeActive({ editor, call }: EditorCall): Promise<object> {
  const active = findActive(editor);
  if (active === undefined) {
    return { isActive: false };
  }
  try {
    const { text, version, rest } = await readBeginning(editor.documents, active.path, usualChars, call.signal);
    return fitted({ ...active, version }, text, rest);
  } catch (error) {
    // The active editor may have no text, such as an image in a custom editor.
    if (hasCode(error, 'editor.binary') || hasCode(error, 'editor.tooLarge') || hasCode(error, 'editor.pathNotFound')) {
      return active;
    }
    throw error;
  }
}

/** Shortens the text until the JSON has the usual size of an answer; line breaks and quotes take more room there. */
function fitted(active: object, text: string, rest: TextRest | undefined): object {
  const describe = (shown: string, left: TextRest | undefined): object => {
    const note = left && { note: `Cut: call read_file with ${goOnAt(left)} for the rest.` };
    return { ...active, text: shown, ...note };
  };
  for (let value = describe(text, rest), length = text.length; ;) {
    const size = JSON.stringify(value).length;
    if (size <= usualChars || length === 0) {
      return value;
    }
    length = Math.min(length - 1, Math.floor((length * usualChars) / size));
    const cut = cutAtLine(text, length);
    value = describe(cut.shown, cut.rest ?? rest);
  }
}

function findActive(editor: EditorPort): OpenEditor | undefined {
  return editor.listOpenEditors().find(({ isActive }) => isActive);
}

/** Fires when another editor becomes active, and when the tab or the text of the active one changes. */
function activeChanges(editor: EditorPort): Event<void> {
  return (listener) => {
    let seen = '';
    let path: string | undefined;
    let text: Disposable | undefined;
    const follow = (): boolean => {
      const active = findActive(editor);
      const now = JSON.stringify(active);
      const isOther = now !== seen;
      seen = now;
      if (active?.path !== path) {
        path = active?.path;
        text?.dispose();
        text = path === undefined ? undefined : editor.documents.changesOf(path)(() => listener());
      }
      return isOther;
    };
    follow();
    const tabs = editor.onDidChangeOpenEditors(() => {
      if (follow()) {
        listener();
      }
    });
    return {
      dispose: () => {
        tabs.dispose();
        text?.dispose();
      },
    };
  };
}
