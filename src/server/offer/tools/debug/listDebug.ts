import * as z from 'zod';
import type { DebugOverview } from '../../../seen/ports/debugPort.ts';
import { answerText, clip, fitAnswer, marked, note, usualChars } from '../answers.ts';
import { defineTool, looksOnly } from '../tool.ts';
import { ownerOf } from './debugShapes.ts';

const output = z.object({
  configurations: z.array(z.object({ name: z.string(), type: z.string(), folder: z.string().optional() })),
  sessions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(['running', 'stopped', 'ended']),
      reason: z.string().optional(),
      isYours: z.boolean().describe('false: the person is asked before you use it'),
    }),
  ),
  breakpoints: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      line: z.int(),
      isVerified: z.boolean().describe('Whether a debugger that runs has bound it'),
      isYours: z.boolean(),
    }),
  ),
  note,
});
type Output = z.input<typeof output>;

/** The most characters of a name. */
const maxName = 100;

export const listDebug = defineTool({
  name: 'list_debug',
  title: 'List Debugging',
  description: 'Debug configurations, sessions and breakpoints.',
  input: z.strictObject({}),
  output,
  annotations: looksOnly,
  role: 'runner',
  call: async (_input, { editor, call }) => describe(await editor.debug.list(ownerOf(call))),
  toText,
});

/** Breakpoints are what there may be many of: those that do not fit are counted. */
function describe({
  configurations,
  sessions,
  breakpoints,
}: DebugOverview): ReturnType<typeof fitAnswer<DebugOverview['breakpoints'][number], Output>> {
  const few = configurations.slice(0, maxConfigurations);
  const build = (shown: DebugOverview['breakpoints']): Output => {
    const missing = [
      configurations.length > few.length && `${configurations.length - few.length} more configurations.`,
      breakpoints.length > shown.length && `${breakpoints.length - shown.length} more breakpoints.`,
      configurations.length === 0 && 'There is no configuration in .vscode/launch.json; start_debugging takes a test, too.',
    ].filter((each) => each !== false);
    return {
      configurations: few.map(({ name, type, folder }) => ({
        name: clip(name, maxName),
        type: clip(type, maxName),
        ...(folder !== undefined && { folder }),
      })),
      sessions: sessions.map(({ name, reason, ...rest }) => ({
        ...rest,
        name: clip(name, maxName),
        ...(reason !== undefined && { reason: clip(reason, maxName) }),
      })),
      breakpoints: [...shown],
      ...(missing.length > 0 && { note: missing.join(' ') }),
    };
  };
  return fitAnswer(breakpoints, usualChars, build, toText);
}

/** The most configurations in one answer; the rest is counted. */
const maxConfigurations = 50;

function toText({ configurations, sessions, breakpoints, note: missing }: Output): string {
  const lines = [
    ...configurations.map(({ name, type, folder }) => `Configuration "${name}" ${marked(type, folder)}`),
    ...sessions.map(
      ({ id, name, state, reason, isYours }) =>
        `Session ${id} "${name}" ${state}: ${reason ?? ''} ${marked(isYours ? 'yours' : "the person's")}`,
    ),
    ...breakpoints.map(
      ({ id, path, line, isVerified, isYours }) =>
        `Breakpoint ${path}:${line} ${marked(isVerified ? 'bound' : 'not bound', isYours ? 'yours' : "the person's", id)}`,
    ),
  ];
  return answerText(lines.length === 0 ? ['Nothing.'] : lines, { note: missing });
}
