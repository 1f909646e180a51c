import * as z from 'zod';
import { runsAnything } from '../actingShapes.ts';
import { answerText, note } from '../answers.ts';
import { unsavedLines, unsavedOutput } from '../runs.ts';
import { defineTool } from '../tool.ts';
import { confirmLaunch, launchInput } from './debugLaunch.ts';
import { ownerOf, patience, shownStop, stop, stopText, waitMs, whileWaiting } from './debugShapes.ts';

export const startDebugging = defineTool({
  name: 'start_debugging',
  title: 'Start Debugging',
  description: 'Starts a configuration or a test under the debugger, after the person agreed, and waits until it stops or ends.',
  input: z.strictObject({ ...launchInput, waitMs }),
  output: z.object({ stop, ...unsavedOutput, note }),
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  call: async ({ configuration, test, waitMs: wanted }, context) => {
    const { editor, call } = context;
    const { launch, ...before } = await confirmLaunch('start_debugging', { configuration, test }, [], context);
    const started = editor.debug.start(ownerOf(call), launch, { waitMs: patience(call, wanted) }, call.signal);
    return { stop: await shownStop(await whileWaiting(call, `${launch.name} is being debugged.`, started), context), ...before };
  },
  toText: ({ stop: shown, unsaved, note: missing }) => answerText([stopText(shown), ...unsavedLines({ unsaved })], { note: missing }),
});
