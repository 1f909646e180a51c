import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActPermission, ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import { actingTools, testTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

const runs = [
  ['run_tests', { wait: false }],
  ['run_task', { name: 'build', wait: false }],
] as const;

const shown = visibilityWith(
  (path) => path !== '.env',
  (text) => text,
);

/** As a client sees the editor: what is sensitive is withheld. */
async function call(
  name: string,
  args: JsonObject,
  editor: FakeEditor,
  answer: 'asItIs' | 'afterSaving' = 'asItIs',
  whileAsked: () => void = () => undefined,
  { signal } = new AbortController(),
): Promise<[JsonObject, ActRequest[]]> {
  const tool = [...testTools, ...actingTools].find((each) => each.name === name);
  assert.ok(tool);
  const asked: ActRequest[] = [];
  const confirm = (act: ActRequest): Promise<ActPermission> => {
    asked.push(act);
    whileAsked();
    return Promise.resolve(answer === 'asItIs' ? answer : { afterSaving: act.unsaved ?? [] });
  };
  const output = await outputOf(tool, args, { editor: withholding(editor, shown), call: fakeCall({ confirm, signal }) });
  return [output as JsonObject, asked];
}

const started = (editor: FakeEditor): number => editor.tests.started.length + editor.tests.runs.length;

/** All that the client gets, but for the name of the run and its time. */
const told = (output: JsonObject): unknown => [Object.keys(output), output['unsaved'], output['note']];

for (const [name, args] of runs) {
  describe(`Unsaved text and ${name}`, () => {
    it('is named to the person, and to the client as what the run did not see', async () => {
      const editor = new FakeEditor();
      editor.unsaved.paths = ['src/a.ts', 'src/b.ts'];
      const [output, asked] = await call(name, args, editor);
      assert.deepEqual(
        [asked[0]?.unsaved, output['unsaved'], output['note']],
        [['src/a.ts', 'src/b.ts'], ['src/a.ts', 'src/b.ts'], undefined],
      );
      assert.equal(editor.unsaved.saves, 0, 'the person did not want it saved');
    });

    it('is named to the person alone where the client may not see the file', async () => {
      const editor = new FakeEditor();
      editor.unsaved.paths = ['.env', 'src/a.ts'];
      const [output, asked] = await call(name, args, editor);
      assert.deepEqual([asked[0]?.unsaved, output['unsaved']], [['src/a.ts', '.env'], ['src/a.ts']]);
      const without = new FakeEditor();
      without.unsaved.paths = ['src/a.ts'];
      const [other] = await call(name, args, without);
      assert.deepEqual(told(output), told(other), 'as if it were not there');
    });

    it('is saved first when the person wants that, and then the run has seen it', async () => {
      const editor = new FakeEditor();
      editor.unsaved.paths = ['.env', 'src/a.ts'];
      const [output] = await call(name, args, editor, 'afterSaving');
      assert.deepEqual([output['unsaved'], output['note'], editor.unsaved.saves, started(editor) > 0], [[], undefined, 1, true]);
    });

    it('is saved only where the question named it: what came since is what the run did not see', async () => {
      const editor = new FakeEditor();
      editor.unsaved.paths = ['.env', 'src/a.ts'];
      const [output, asked] = await call(name, args, editor, 'afterSaving', () => {
        editor.unsaved.paths = [...editor.unsaved.paths, 'src/typed.ts'];
      });
      assert.deepEqual([asked[0]?.unsaved, output['unsaved']], [['src/a.ts', '.env'], ['src/typed.ts']]);
      assert.deepEqual([editor.unsaved.paths, started(editor) > 0], [['src/typed.ts'], true]);
    });

    it('that cannot be saved keeps the run from starting, in the same words whether or not it is withheld', async () => {
      const message =
        'Nothing was run: the person wanted everything saved first, and VS Code could not save all of it; it says why in its window.';
      for (const stuck of [['.env'], ['src/b.ts'], ['.env', 'src/b.ts']]) {
        const editor = new FakeEditor();
        editor.unsaved.paths = ['.env', 'src/a.ts', 'src/b.ts'];
        editor.unsaved.stuck = stuck;
        await assert.rejects(call(name, args, editor, 'afterSaving'), { code: 'server.notAllSaved', message });
        assert.equal(started(editor), 0);
      }
    });

    it('is not spoken of when there is none', async () => {
      const editor = new FakeEditor();
      const [output, asked] = await call(name, args, editor);
      assert.deepEqual([asked.map((act) => 'unsaved' in act), output['unsaved']], [[false], []]);
    });
  });

  describe(`A call of ${name} that is cancelled`, () => {
    const withUnsaved = (): FakeEditor => {
      const editor = new FakeEditor();
      editor.unsaved.paths = ['src/a.ts'];
      return editor;
    };

    it('while the person is asked saves nothing and runs nothing', async () => {
      const [editor, cancelled] = [withUnsaved(), new AbortController()];
      const whileAsked = (): void => cancelled.abort();
      await assert.rejects(call(name, args, editor, 'afterSaving', whileAsked, cancelled), { name: 'AbortError' });
      assert.deepEqual([editor.unsaved.saves, started(editor)], [0, 0]);
    });

    it('while files are saved runs nothing', async () => {
      const [editor, cancelled] = [withUnsaved(), new AbortController()];
      editor.unsaved.save = () => {
        cancelled.abort();
        return Promise.resolve({ paths: [], withheld: [] });
      };
      await assert.rejects(call(name, args, editor, 'afterSaving', undefined, cancelled), { name: 'AbortError' });
      assert.equal(started(editor), 0);
    });

    it('while it is started ends it, though it was not to be waited for', async () => {
      const [editor, cancelled] = [new FakeEditor(), new AbortController()];
      const { acting, tests } = editor;
      const [startTask, startTests] = [acting.startTask.bind(acting), tests.start.bind(tests)];
      const cancel = (signal: AbortSignal | undefined): void => {
        cancelled.abort();
        assert.equal(signal?.aborted, true, 'the editor hears of it');
      };
      acting.startTask = (task, onOutput, signal?: AbortSignal) => {
        cancel(signal);
        return startTask(task, onOutput);
      };
      tests.start = (plan, signal?: AbortSignal) => {
        cancel(signal);
        return startTests(plan);
      };
      await assert.rejects(call(name, args, editor, 'asItIs', undefined, cancelled), { name: 'AbortError' });
      assert.deepEqual(name === 'run_task' ? acting.done.at(-1) : tests.cancelled, name === 'run_task' ? ['terminate'] : ['run-1']);
    });
  });
}
