import * as z from 'zod';
import type { FoundTask, TaskEnd } from '../../seen/ports/actingPort.ts';
import type { RunRecorder } from '../../../testRuns/testRun.ts';
import { boundedOutput, outputText, runOutput, runsAnything } from './actingShapes.ts';
import { type BeforeRun, confirmRun, follow, unsavedLines, unsavedOutput } from './runs.ts';
import { defineTool, type EditorCall } from './tool.ts';

const output = z.object({
  runId: z.string().describe('Its status is readable at tests://runs/{runId}'),
  ...runOutput,
  ...unsavedOutput,
});

const noOutput = 'VS Code did not let the output of this task be read; it is in its terminal.';
const noExitCode = 'The task ended without an exit code.';
const goesOn = 'The task goes on: get_test_results with this runId shows how it stands.';

export const runTask = defineTool({
  name: 'run_task',
  title: 'Run Task',
  description: 'Runs a task of the workspace, after the person agreed to its definition.',
  input: z.strictObject({
    name: z.string().min(1).max(1_000).describe('As list_tasks gave it'),
    wait: z.boolean().default(true).describe('false: return at once'),
  }),
  output,
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  taskSupport: 'optional',
  call: async ({ name, wait }, context) => {
    const { editor, call } = context;
    const task = await editor.acting.findTask(name);
    const what = { kind: 'task', name: task.name, definition: task.definition, chain: task.chain } as const;
    const beforeRun = await confirmRun({ tool: 'run_task', role: 'runner', what, offersSession: task.chain.unknown.length === 0 }, context);
    const { recorder, ended, stop } = await start(task, context);
    if (!wait && !call.signal.aborted) {
      return { runId: recorder.id, ...beforeRun };
    }
    const end = await follow(call, { ended, stop, message: `The task ${task.name} is running.` });
    const known = end === 'goesOn' ? { runId: recorder.id, note: goesOn } : await describe(recorder, end, beforeRun, context);
    return { ...known, ...joined(known, beforeRun) };
  },
  toText: ({ runId, unsaved, ...rest }) => [`Run ${runId}.`, ...unsavedLines({ unsaved }), outputText(rest)].join('\n').trimEnd(),
});

function seeMore(id: string): string {
  return `; get_test_results with runId "${id}" and maxChars shows more`;
}

interface StartedTask {
  readonly recorder: RunRecorder;
  readonly ended: Promise<TaskEnd>;
  readonly stop: () => void;
}

async function start(task: FoundTask, { editor, call }: EditorCall): Promise<StartedTask> {
  const recorder = editor.tests.begin({
    command: task.commandLine ?? task.name,
    source: 'task',
    isTest: task.isTest,
    ...(task.cwd !== undefined && { cwd: task.cwd }),
  });
  try {
    const running = await editor.acting.startTask(task, (text) => recorder.write(text), call.signal);
    const ended = running.ended.then(async (end) => {
      await recorder.end(end.wasTerminated ? { kind: 'cancelled' } : { kind: 'exited', exitCode: end.exitCode });
      return end;
    });
    return { recorder, ended, stop: () => running.terminate() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await recorder.end(call.signal.aborted ? { kind: 'cancelled' } : { kind: 'failedToStart', reason });
    throw error;
  }
}

function joined(known: { readonly note?: string | undefined }, { unsaved, note }: BeforeRun): BeforeRun {
  const notes = [known.note, note].filter((each) => each !== undefined);
  return { unsaved, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

async function describe(
  recorder: RunRecorder,
  end: TaskEnd | undefined,
  before: BeforeRun,
  { editor }: EditorCall,
): Promise<Omit<z.input<typeof output>, 'unsaved'>> {
  const notes = [end?.hadOutput === false && noOutput, end?.exitCode === undefined && noExitCode].filter((note) => note !== false);
  return {
    runId: recorder.id,
    ...(end?.exitCode !== undefined && { exitCode: end.exitCode }),
    ...(end?.hadOutput === true && {
      output: boundedOutput((await editor.tests.findRun(recorder.id))?.output ?? '', seeMore(recorder.id), before),
    }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}
