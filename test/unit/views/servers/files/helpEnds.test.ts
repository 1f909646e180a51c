import assert from 'node:assert/strict';
import { silentLog } from '../../../../../src/base/log.ts';
import type { ErrorReporter } from '../../../../../src/views/errorReporter.ts';
import type { HelpEnds } from '../../../../../src/views/servers/files/helpEnds.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

interface Program {
  readonly HelpEnds: typeof HelpEnds;
  readonly ErrorReporter: typeof ErrorReporter;
  /** Each notification: its sentence and its buttons. */
  readonly shown: (readonly string[])[];
  /** What the person will press. */
  readonly answers: (string | undefined)[];
}

const program = `
  export { HelpEnds } from './src/views/servers/files/helpEnds.ts';
  export { ErrorReporter } from './src/views/errorReporter.ts';
  export { shown, answers } from 'vscode';`;
const editor = `
  export const [shown, answers] = [[], []];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const env = { language: 'en' };
  export const window = { showWarningMessage: async (...said) => (shown.push(said), answers.shift()) };`;

const minute = 60_000;

describe('The end of the language server', function () {
  this.timeout(60_000);
  let loaded: Program;
  let clock: FakeClock;
  let ends: HelpEnds;
  let [starts, logs] = [0, 0];

  beforeEach(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    clock = new FakeClock();
    [starts, logs] = [0, 0];
    const reporter = new loaded.ErrorReporter(silentLog, () => {
      logs += 1;
    });
    const start = (): Promise<void> => {
      starts += 1;
      return Promise.reject(new Error('not yet'));
    };
    ends = new loaded.HelpEnds({ start, reporter, log: silentLog, clock });
  });

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const endTimes = (count: number): boolean[] => Array.from({ length: count }, () => ends.note());

  it('is mended three times within ten minutes; then the person is told, and can look at the log and start it again', async () => {
    loaded.answers.push('Show Log', 'Start Again');
    assert.deepEqual(endTimes(4), [true, true, true, false]);
    await settled();
    const sentence =
      'The help in configuration files ended 4 times within 10 minutes and is off now, until you start it again or reload the window.';
    assert.deepEqual(loaded.shown, [
      [sentence, 'Start Again', 'Show Log'],
      [sentence, 'Start Again', 'Show Log'],
    ]);
    assert.deepEqual([starts, logs], [1, 1]);
    assert.deepEqual(endTimes(4), [true, true, true, false], 'who starts it again has all tries again');
  });

  it('is mended however often it comes, while it comes rarely', async () => {
    for (let week = 0; week < 20; week += 1) {
      assert.equal(ends.note(), true);
      clock.advance(4 * minute);
    }
    assert.deepEqual(loaded.shown, []);
    endTimes(1);
    assert.deepEqual(endTimes(1), [false], 'three ended in the ten minutes before');
    await settled();
    assert.equal(loaded.shown.length, 1);
  });

  it('stays where the person wants nothing to be done', async () => {
    endTimes(4);
    await settled();
    assert.deepEqual([loaded.shown.length, starts], [1, 0]);
  });
});
