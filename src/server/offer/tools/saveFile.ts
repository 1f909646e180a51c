import * as z from 'zod';
import { changesText, done, doneText, succeeded } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const saveFile = defineTool({
  name: 'save_file',
  title: 'Save File',
  description: 'Saves the unsaved text of an open file to disk, after the person agreed. Asks nothing about a file that is saved.',
  input: z.strictObject({ path: pathInput }),
  output: done.extend({ note: z.string().optional() }),
  annotations: { ...changesText, idempotentHint: true },
  role: 'editor',
  acts: true,
  asks: 'call',
  call: async ({ path }, { editor, call }) => {
    const version = await editor.acting.checkSave(path);
    if (version === undefined) {
      return { ...succeeded, note: `"${path}" has nothing unsaved.` };
    }
    await call.confirm({ tool: 'save_file', role: 'editor', what: { kind: 'save', path }, offersSession: true });
    await editor.acting.save(path, version);
    return succeeded;
  },
  toText: ({ note }) => note ?? doneText(),
});
