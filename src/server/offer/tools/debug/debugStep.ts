import * as z from 'zod';
import { clientError } from '../../../errors/serverErrors.ts';
import { runsAnything } from '../actingShapes.ts';
import { defineTool } from '../tool.ts';
import { ownerOf, patience, sessionId, shownStop, stop, stopText, usableSession, waitMs, whileWaiting } from './debugShapes.ts';

export const debugStep = defineTool({
  name: 'debug_step',
  title: 'Step in the Debugger',
  description: 'Continues, steps, pauses or stops a debug session, and waits for the next stop. continue while it runs just waits.',
  input: z.strictObject({
    sessionId,
    action: z.enum(['continue', 'over', 'into', 'out', 'pause', 'stop']).describe('What to do'),
    toLine: z.int().min(1).optional().describe('With continue: run to this line of the current file'),
    waitMs,
  }),
  output: z.object({ stop }),
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  call: async ({ sessionId: id, action, toLine, waitMs: wanted }, context) => {
    const { editor, call } = context;
    if (toLine !== undefined && action !== 'continue') {
      throw clientError('server.toLineContinues');
    }
    const session = await usableSession('debug_step', id, context);
    const wait = { waitMs: patience(call, wanted) };
    const request = { sessionId: session.id, action, ...(toLine !== undefined && { toLine }) };
    const stepped = editor.debug.step(ownerOf(call), request, wait, call.signal);
    return { stop: await shownStop(await whileWaiting(call, `${session.id} runs.`, stepped), context) };
  },
  toText: ({ stop: shown }) => stopText(shown),
});
