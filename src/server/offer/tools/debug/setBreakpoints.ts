import * as z from 'zod';
import type { WantedBreakpoint } from '../../../seen/ports/debugPort.ts';
import type { SymbolNode } from '../../../seen/ports/languagePort.ts';
import type { DebugCode } from '../../../access/clientApproval.ts';
import { clientError } from '../../../errors/serverErrors.ts';
import { marked } from '../answers.ts';
import { pathInput } from '../shapes.ts';
import { findSymbol } from '../symbolPlace.ts';
import { defineTool, type EditorCall } from '../tool.ts';
import { confirmCode, ownerOf } from './debugShapes.ts';

const output = z.object({
  breakpoints: z.array(
    z.object({
      id: z.string(),
      line: z.int().describe('Where the debugger put it'),
      isVerified: z.boolean().describe('Whether a debugger that runs has bound it'),
      message: z.string().optional(),
    }),
  ),
});

const code = z.string().min(1).max(2_000).optional();

export const setBreakpoints = defineTool({
  name: 'set_breakpoints',
  title: 'Set Breakpoints',
  description: "Replaces your breakpoints in a file; the person's stay. Conditions and log messages run code, so the person is asked.",
  input: z.strictObject({
    path: pathInput,
    breakpoints: z
      .array(
        z.strictObject({
          line: z.int().min(1).optional(),
          symbol: z.string().min(1).max(500).optional(),
          condition: code,
          hitCount: z.string().min(1).max(100).optional(),
          logMessage: code,
        }),
      )
      .max(100)
      .describe('line or symbol each'),
  }),
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  role: 'runner',
  acts: true,
  call: async ({ path, breakpoints }, context) => {
    const wanted: WantedBreakpoint[] = [];
    for (const { line, symbol, ...rest } of breakpoints) {
      wanted.push({ line: await lineOf({ path, line, symbol }, context), ...rest });
    }
    await confirmCode(
      'set_breakpoints',
      wanted.flatMap((each) => codeOf(path, each)),
      undefined,
      context.call,
    );
    const set = await context.editor.debug.setBreakpoints(ownerOf(context.call), path, wanted);
    return { breakpoints: set.map((each) => ({ ...each })) };
  },
  toText: ({ breakpoints }) =>
    breakpoints.length === 0
      ? 'You have no breakpoints in this file.'
      : breakpoints
          .map(({ id, line, isVerified, message }) =>
            `Line ${line} ${marked(isVerified ? 'bound' : 'not bound', id)} ${message ?? ''}`.trimEnd(),
          )
          .join('\n'),
});

/** The line of a place. Of a function it is the first one of its body: before that, nothing of it runs. */
export async function lineOf(
  { path, line, symbol }: { readonly path: string; readonly line?: number | undefined; readonly symbol?: string | undefined },
  { editor, call }: EditorCall,
): Promise<number> {
  if ((line === undefined) === (symbol === undefined)) {
    throw clientError('server.lineOrSymbol');
  }
  return line ?? bodyOf(await findSymbol(path, symbol ?? '', editor.language, call.signal));
}

function bodyOf({ kind, range, selectionRange }: SymbolNode): number {
  const { line } = selectionRange.start;
  const isFunction = kind === 'function' || kind === 'method' || kind === 'constructor';
  return isFunction && range.end.line > line ? line + 1 : line;
}

/** A plain number of hits, which is compared and not run. */
const plainCount = /^(?:[<>=]=?|%)?\s{0,3}\d{1,9}$/;

function codeOf(path: string, { line, condition, hitCount, logMessage }: WantedBreakpoint): readonly DebugCode[] {
  const place = `${path}:${line}`;
  return [
    ...(condition === undefined ? [] : [{ place: `${place}, condition`, text: condition }]),
    ...(hitCount === undefined || plainCount.test(hitCount) ? [] : [{ place: `${place}, hitCount`, text: hitCount }]),
    ...(logMessage === undefined ? [] : [{ place: `${place}, logMessage`, text: logMessage }]),
  ];
}
