import * as z from 'zod';
import { runsAnything } from '../actingShapes.ts';
import { clip } from '../answers.ts';
import { defineTool } from '../tool.ts';
import { confirmCode, ownerOf, patience, sessionId, sessionLabel, usableSession, variableText } from './debugShapes.ts';

/** The most characters of a value. */
const maxValueChars = 10_000;

export const debugEvaluate = defineTool({
  name: 'debug_evaluate',
  title: 'Evaluate in the Debugger',
  description: 'Evaluates an expression in a frame of a program that stands still, after the person agreed to it.',
  input: z.strictObject({
    expression: z.string().min(1).max(2_000).describe('In the language of the program'),
    sessionId,
    frame: z.int().min(0).max(49).default(0).describe('0 is the innermost'),
    timeoutMs: z.int().min(100).max(60_000).default(5_000).describe('The longest wait'),
  }),
  output: z.object({ type: z.string().optional(), value: z.string(), isCut: z.boolean() }),
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  call: async ({ expression, sessionId: id, frame, timeoutMs }, context) => {
    const { editor, call } = context;
    const session = await usableSession('debug_evaluate', id, context);
    await confirmCode('debug_evaluate', [{ place: 'expression', text: expression }], sessionLabel(session), call);
    const request = { sessionId: session.id, expression, frame, timeoutMs: patience(call, timeoutMs) };
    const { type, value, isCut } = await editor.debug.evaluate(ownerOf(call), request, call.signal);
    const shown = clip(value, maxValueChars);
    return { ...(type !== undefined && { type: clip(type, maxValueChars) }), value: shown, isCut: isCut || shown !== value };
  },
  toText: ({ type, value }) => variableText({ name: 'value', type, value }),
});
