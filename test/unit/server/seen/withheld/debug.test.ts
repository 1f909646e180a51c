import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import { withholdingDebug } from '../../../../../src/server/seen/withheld/debug.ts';
import { redactPart, redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import type { DebugStop } from '../../../../../src/server/seen/ports/debugPort.ts';
import type { Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import { traceRun } from '../../../../../src/server/offer/tools/debug/traceRun.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeDebug, stoppedHere } from '../../support/fakeDebug.ts';
import { FakeEditor } from '../../support/fakePorts.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;
const visibility: Visibility = {
  isPath: () => true,
  isShown: (path) => !path.startsWith('.env'),
  redact: redactSecrets,
  redactPart,
  hide: (text) => Promise.resolve(text),
  secretLine: undefined,
};
const signal = new AbortController().signal;

/** A program that prints a private key line by line, and stops after each: each stop has one line that is new. */
function stopsInKey(): DebugStop[] {
  const lines = Array.from({ length: 4 }, (_, index) => `MIIE${`k3Y${index}`.repeat(15)}\n`);
  return lines.map((line, index) => {
    const before = `here it is\n-----BEGIN PRIVATE KEY-----\n${lines.slice(0, index).join('')}`;
    return { ...stoppedHere, output: [{ kept: before + line, newFrom: index === 0 ? 0 : before.length }] };
  });
}

describe('What a client sees of the debugger', () => {
  it('names no withheld file', async () => {
    const debug = new FakeDebug();
    const stack = [
      { name: 'load', path: '.env', line: 1 },
      { name: 'main', path: 'src/a.ts', line: 2 },
    ];
    debug.stops = [{ ...stoppedHere, path: '.env', line: 1, stack }];
    debug.overview = { ...debug.overview, breakpoints: [{ id: 'b', path: '.env', line: 1, isVerified: true, isYours: false }] };
    const seen = withholdingDebug(debug, visibility);
    const stop = await seen.step('me', { sessionId: 'debug-1', action: 'over' }, { waitMs: 0 }, signal);
    assert.deepEqual([stop.path, stop.line, stop.stack], [undefined, undefined, [{ name: 'load' }, stack[1]]]);
    assert.deepEqual((await seen.list('me')).breakpoints, []);
    await assert.rejects(seen.setBreakpoints('me', '.env', [{ line: 1 }]), { code: 'editor.pathNotFound' });
    assert.throws(() => seen.addBreakpoints('me', [{ path: '.env', line: 1 }]), { code: 'editor.pathNotFound' });
  });

  it('has no secret in values, in output, in exceptions, and in what a failed expression says', async () => {
    const debug = new FakeDebug();
    debug.stops = [
      {
        ...stoppedHere,
        exception: `bad ${token}`,
        output: [{ kept: `using ${token}\n`, newFrom: 0 }],
        changed: [{ name: 'password', value: "'hunter2hunter2'" }],
      },
    ];
    debug.value = { value: token, isCut: false };
    debug.state = { stack: [], variables: [{ name: 'key', value: token }], isPartial: false };
    const seen = withholdingDebug(debug, visibility);
    const launch = await seen.findLaunch({ kind: 'configuration', name: 'Run' });
    const stop = await seen.start('me', launch, { waitMs: 0 }, signal);
    const request = { sessionId: 'debug-1', frame: 0 };
    const state = await seen.readState('me', { ...request, depth: 1 }, signal);
    const value = await seen.evaluate('me', { ...request, expression: 'key', timeoutMs: 100 }, signal);
    assert.doesNotMatch(JSON.stringify([stop, state, value]), /a1B2|hunter2/);
    debug.onEvaluate = () => {
      throw new AppError('debug.notEvaluated', `no ${token}`);
    };
    await assert.rejects(seen.evaluate('me', { ...request, expression: 'key', timeoutMs: 100 }, signal), /^AppError: no \[redacted\]$/);
  });

  it('has no piece of a key that a program writes line by line, whatever it was told at the stops before', async () => {
    const debug = new FakeDebug();
    debug.stops = stopsInKey();
    const seen = withholdingDebug(debug, visibility);
    const outputs: unknown[] = [];
    for (let stops = 0; stops < 3; stops += 1) {
      outputs.push((await seen.step('me', { sessionId: 'debug-1', action: 'continue' }, { waitMs: 0 }, signal)).output);
    }
    assert.deepEqual(outputs, [
      [{ kept: 'here it is\n-----BEGIN PRIVATE KEY-----\n[redacted]\n', newFrom: 0 }],
      [{ kept: '[redacted]\n', newFrom: 0 }],
      [{ kept: '[redacted]\n', newFrom: 0 }],
    ]);
    const editor = new FakeEditor();
    editor.debug.stops = stopsInKey();
    const places = [{ path: 'src/a.ts', line: 1, expressions: ['index'] }];
    const traced = await outputOf(
      traceRun,
      { places, configuration: 'Run' },
      { editor: withholding(editor, visibility), call: fakeCall() },
    );
    const { output } = (traced as { run: { output: string } }).run;
    assert.equal(output, `here it is\n-----BEGIN PRIVATE KEY-----\n${'[redacted]\n'.repeat(4)}`);
  });
});
