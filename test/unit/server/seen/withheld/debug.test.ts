import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import { withholdingDebug } from '../../../../../src/server/seen/withheld/debug.ts';
import { redactPart, redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import type { Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { FakeDebug, stoppedHere } from '../../support/fakeDebug.ts';

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
      { ...stoppedHere, exception: `bad ${token}`, output: `using ${token}\n`, changed: [{ name: 'password', value: "'hunter2hunter2'" }] },
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
});
