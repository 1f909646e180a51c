import * as z from 'zod';
import type { DebugState } from '../../../seen/ports/debugPort.ts';
import { answerText, fitAnswer, maxChars, type Measured, note } from '../answers.ts';
import { defineTool, looksOnly } from '../tool.ts';
import {
  frameText,
  ownerOf,
  sessionId,
  shownFrames,
  shownStop,
  type ShownStop,
  shownVariable,
  stack,
  stop,
  stopText,
  usableSession,
  variable,
  variableText,
} from './debugShapes.ts';

const output = z.object({ stop, stack, variables: z.array(variable), note });
type Output = z.input<typeof output>;

/** Which part of an answer the stop may take, the whole stack, and one value. */
const shareOfStop = 0.4;
const shareOfStack = 0.2;
const shareOfValue = 0.25;

export const getDebugState = defineTool({
  name: 'get_debug_state',
  title: 'Get Debug State',
  description: 'Where a debug session stands, its whole stack, and the variables of a frame.',
  input: z.strictObject({
    sessionId,
    frame: z.int().min(0).max(49).default(0).describe('0 is the innermost'),
    names: z.array(z.string().min(1).max(500)).max(50).optional().describe('Only these variables'),
    depth: z.int().min(1).max(5).default(1).describe('Levels of objects and lists'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'runner',
  call: async ({ sessionId: id, frame, names, depth, maxChars: most }, context) => {
    const { editor, call } = context;
    const session = await usableSession('get_debug_state', id, context);
    const request = { sessionId: session.id, frame, depth, ...(names !== undefined && { names }) };
    const state = await editor.debug.readState(ownerOf(call), request, call.signal);
    return describe(state, await shownStop(state.stop, context, Math.floor(most * shareOfStop)), most);
  },
  toText,
});

function describe({ stack: frames, variables, isPartial }: DebugState, shown: ShownStop, most: number): Measured<Output> {
  const values = variables.map((each) => shownVariable(each, Math.floor(most * shareOfValue)));
  const build = (some: readonly z.input<typeof variable>[]): Output => {
    const more = values.length - some.length;
    const missing = [
      more > 0 && `${more} more variables: name them with names, or ask for more with maxChars.`,
      isPartial && 'There are more variables than are read at once: name them with names.',
      shown.state !== 'stopped' && 'It does not stand still, so there is no stack and there are no variables.',
    ].filter((each) => each !== false);
    return {
      stop: shown,
      stack: shownFrames(frames, Math.floor(most * shareOfStack)),
      variables: [...some],
      ...(missing.length > 0 && { note: missing.join(' ') }),
    };
  };
  return fitAnswer(values, most, build, toText);
}

function toText({ stop: shown, stack: frames, variables, note: missing }: Output): string {
  const all = frames.length > shown.stack.length ? [`Whole stack: ${frames.map(frameText).join(' < ')}`] : [];
  return answerText([stopText(shown), ...all, ...variables.map(variableText)], { note: missing });
}
