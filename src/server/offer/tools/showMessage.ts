import * as z from 'zod';
import { authorOf, done, succeeded } from './actingShapes.ts';
import { defineTool } from './tool.ts';

export const showMessage = defineTool({
  name: 'show_message',
  title: 'Show Message',
  description: 'Shows the person a short notification that begins with your name. Plain text; nobody waits for it to be read.',
  input: z.strictObject({
    message: z.string().trim().min(1).max(1_000).describe('Plain text; links and formatting are not rendered'),
    level: z.enum(['info', 'warning', 'error']).default('info').describe('How the message is marked'),
  }),
  output: done,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  role: 'reader',
  acts: true,
  call: ({ message, level }, { editor, call }) => {
    editor.acting.showMessage(authorOf(call.viewer), level, message);
    return succeeded;
  },
});
