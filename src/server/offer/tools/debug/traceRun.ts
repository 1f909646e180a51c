import * as z from 'zod';
import type { DebugPort, DebugStop, FoundLaunch } from '../../../seen/ports/debugPort.ts';
import { runsAnything } from '../actingShapes.ts';
import { answerText, clip, cutMiddle, indented, maxChars, note } from '../answers.ts';
import { somePath } from '../shapes.ts';
import { defineTool, type EditorCall } from '../tool.ts';
import { confirmLaunch, launchInput } from './debugLaunch.ts';
import { newOutput, ownerOf, patience, whileWaiting } from './debugShapes.ts';
import { lineOf } from './setBreakpoints.ts';

const event = z.object({
  place: z.string().describe('path:line'),
  count: z.int().describe('Which time it was there'),
  values: z.array(z.object({ expression: z.string(), value: z.string() })),
  at: z.int().describe('Milliseconds since the start'),
});
type TraceEvent = z.input<typeof event>;

const output = z.object({
  events: z.array(event).describe('In order'),
  run: z
    .object({
      state: z.enum(['running', 'stopped', 'ended']).describe('What still ran when the time was over was stopped then'),
      reason: z.string(),
      exception: z.string().optional(),
      exitCode: z.int().optional(),
      output: z.string(),
    })
    .optional(),
  note,
});
type Output = z.input<typeof output>;

/** The most characters of a value, of an exception, and of the reason why a run stopped. */
const maxValueChars = 400;
/** The most characters of what the program wrote; of more the middle is left out. */
const maxOutputChars = 4_000;
/** How long, in ms, one expression may take: the first one of a run loads what a debugger evaluates with. */
const evaluateMs = 5_000;

export const traceRun = defineTool({
  name: 'trace_run',
  title: 'Trace a Run',
  description: 'Runs a configuration or a test, and logs expressions each time it comes by places. It leaves nothing behind.',
  input: z.strictObject({
    places: z
      .array(
        z.strictObject({
          path: somePath,
          line: z.int().min(1).optional(),
          symbol: z.string().min(1).max(500).optional(),
          expressions: z.array(z.string().min(1).max(2_000)).max(10).optional(),
        }),
      )
      .min(1)
      .max(20)
      .describe('line or symbol each'),
    ...launchInput,
    timeoutMs: z.int().min(1_000).max(600_000).default(20_000).describe('Then it is stopped'),
    maxChars,
  }),
  output,
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  call: async ({ places, configuration, test, timeoutMs, maxChars: most }, context) => {
    const { call } = context;
    const resolved: TracedPlace[] = [];
    for (const { path, line, symbol, expressions = [] } of places) {
      resolved.push({ path, line: await lineOf({ path, line, symbol }, context), expressions });
    }
    const code = resolved.flatMap(({ path, line, expressions }) => expressions.map((text) => ({ place: `${path}:${line}`, text })));
    const { launch, note: before } = await confirmLaunch('trace_run', { configuration, test }, code, context);
    const trace = new Trace(context, resolved, { timeoutMs: patience(call, timeoutMs), maxChars: most });
    const answer = await whileWaiting(call, `${launch.name} is being traced.`, trace.run(launch));
    const notes = [answer.note, before].filter((each) => each !== undefined);
    return { ...answer, ...(notes.length > 0 && { note: notes.join(' ') }) };
  },
  toText: ({ events, run, note: missing }) => {
    const lines = events.map(eventText);
    const exit = run?.exitCode === undefined ? '' : ` Exit code ${run.exitCode}.`;
    const ended = run === undefined ? [] : [`${run.state}: ${run.reason}${exit}`, ...(run.exception === undefined ? [] : [run.exception])];
    const written = run === undefined || run.output === '' ? [] : [`Output:\n${run.output.trimEnd()}`];
    return answerText([...lines, ...ended, ...written], { note: missing });
  },
});

function eventText({ place, count, values, at }: TraceEvent): string {
  const logged = values.map(({ expression, value }) => `${expression} = ${indented(value)}`);
  return [`${at} ms ${place} (${count})`, ...logged].join(', ');
}

interface TracedPlace {
  readonly path: string;
  readonly line: number;
  readonly expressions: readonly string[];
}

interface TraceLimits {
  readonly timeoutMs: number;
  readonly maxChars: number;
}

/**
 * One traced run. Where expressions are to be logged, breakpoints note what they see and let the program go on by themselves: the
 * text of a log point would not tell a number from a text, and one expression that fails would take the others with it. Where the
 * program is only to come by, it is a log point, for which it need not stop; an adapter without them stops there, and is let go on.
 */
class Trace {
  readonly #context: EditorCall;
  readonly #debug: DebugPort;
  readonly #owner: string;
  readonly #places: readonly TracedPlace[];
  readonly #limits: TraceLimits;
  readonly #events: TraceEvent[] = [];
  readonly #counts = new Map<string, number>();
  /** The places that log points told of: a stop there is somebody else's. */
  readonly #passed = new Set<TracedPlace>();
  readonly #begun = performance.now();
  #characters = 0;
  #output = '';
  #isFull = false;

  constructor(context: EditorCall, places: readonly TracedPlace[], limits: TraceLimits) {
    this.#context = context;
    this.#debug = context.editor.debug;
    this.#owner = ownerOf(context.call);
    this.#places = places;
    this.#limits = limits;
  }

  async run(launch: FoundLaunch): Promise<Output> {
    const { signal } = this.#context.call;
    const wanted = this.#places.map(({ path, line, expressions }) => ({ path, line, isPassed: expressions.length === 0 }));
    const breakpoints = this.#debug.addBreakpoints(this.#owner, wanted, (index) => this.#pass(index, () => breakpoints.dispose()));
    let stop: DebugStop | undefined;
    try {
      stop = await this.#debug.start(this.#owner, launch, this.#rest(), signal);
      this.#hear(stop);
      let last = stop;
      while (last.state === 'stopped' && this.#rest().waitMs > 0) {
        await this.#note(last);
        if (this.#isFull) {
          breakpoints.dispose();
        }
        last = await this.#debug.step(this.#owner, { sessionId: last.sessionId, action: 'continue' }, this.#rest(), signal);
        this.#hear(last);
        stop = last.exception === undefined && stop.exception !== undefined ? { ...last, exception: stop.exception } : last;
      }
      return this.#answer(stop);
    } finally {
      breakpoints.dispose();
      await this.#end(stop);
    }
  }

  #rest(): { readonly waitMs: number; readonly isBrief: true } {
    return { waitMs: Math.max(0, this.#limits.timeoutMs - (performance.now() - this.#begun)), isBrief: true };
  }

  #hear(stop: DebugStop): void {
    this.#output = cutMiddle(this.#output + newOutput(stop), maxOutputChars);
  }

  async #note({ sessionId, path, line }: DebugStop): Promise<void> {
    const place = this.#places.find((each) => each.path === path && each.line === line);
    if (place === undefined || this.#isFull || this.#passed.has(place)) {
      return; // somebody else's breakpoint, an exception, or told already
    }
    const values: { expression: string; value: string }[] = [];
    const at = this.#now();
    for (const expression of place.expressions) {
      values.push({ expression, value: clip(await this.#valueOf(sessionId, expression), maxValueChars) });
    }
    this.#add(place, values, at);
  }

  /** The program came by a place and did not stop. */
  #pass(index: number, end: () => void): void {
    const place = this.#places[index];
    if (place !== undefined && !this.#isFull) {
      this.#passed.add(place);
      this.#add(place, [], this.#now());
    }
    if (this.#isFull) {
      end();
    }
  }

  #now(): number {
    return Math.round(performance.now() - this.#begun);
  }

  #add({ path, line }: TracedPlace, values: TraceEvent['values'], at: number): void {
    const name = `${path}:${line}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const noted = { place: name, count, values, at };
    this.#characters += JSON.stringify(noted).length + 1;
    this.#isFull = this.#characters > this.#limits.maxChars - maxOutputChars / 2 - 1_000;
    if (!this.#isFull) {
      this.#events.push(noted);
    }
  }

  /** What an expression is there; where it is nothing, why. */
  async #valueOf(sessionId: string, expression: string): Promise<string> {
    const { signal } = this.#context.call;
    try {
      const { value } = await this.#debug.evaluate(this.#owner, { sessionId, expression, frame: 0, timeoutMs: evaluateMs }, signal);
      return value;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    }
  }

  #answer(stop: DebugStop): Output {
    const { state, reason, exception, exitCode } = stop;
    const never = this.#places.filter(({ path, line }) => !this.#counts.has(`${path}:${line}`)).map(({ path, line }) => `${path}:${line}`);
    const notes = [
      this.#isFull && 'There was more than fits: trace fewer places or expressions, or ask for more with maxChars.',
      never.length > 0 && `The run did not come by ${never.join(', ')}.`,
      state !== 'ended' && `It had not ended after ${this.#limits.timeoutMs} ms, and was stopped.`,
    ].filter((each) => each !== false);
    return {
      events: this.#events,
      run: {
        state,
        reason: clip(reason, maxValueChars),
        ...(exception !== undefined && { exception: clip(exception, maxValueChars) }),
        ...(exitCode !== undefined && { exitCode }),
        output: this.#output,
      },
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  }

  /** Stops what still runs, also after a failure or a cancelled call. */
  async #end(stop: DebugStop | undefined): Promise<void> {
    if (stop !== undefined && stop.state !== 'ended') {
      const over = new AbortController().signal;
      await this.#debug
        .step(this.#owner, { sessionId: stop.sessionId, action: 'stop' }, { waitMs: 0, isBrief: true }, over)
        .catch(() => undefined);
    }
  }
}
