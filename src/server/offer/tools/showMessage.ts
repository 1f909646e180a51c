import * as z from 'zod';
import { authorOf, done, doneText, succeeded } from './actingShapes.ts';
import { defineTool } from './tool.ts';

export const showMessage = defineTool({
  name: 'show_message',
  title: 'Show Message',
  description: 'Shows the person a notification that begins with your name.',
  input: z.strictObject({
    message: z.string().trim().min(1).max(1_000).describe('Plain text'),
    level: z.enum(['info', 'warning', 'error']).default('info').describe('How it is marked'),
  }),
  output: done,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  role: 'reader',
  acts: true,
  call: ({ message, level }, { editor, call }) => {
    editor.acting.showMessage(authorOf(call), level, message);
    return succeeded;
  },
  toText: doneText,
});
