import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exceptionOf, framesOf, maxFrames, maxValue, threadsOf, variablesOf } from '../../../src/editor/debug/debugValues.ts';
import { LogMarks } from '../../../src/editor/debug/logMarks.ts';
import { SessionRecord } from '../../../src/editor/debug/sessionRecord.ts';
import { changedJson } from './arbitraries.ts';
import { type Target, target } from './target.ts';

const event = (name: string, body: object = {}): object => ({ seq: 1, type: 'event', event: name, body });
const response = (command: string, more: object): object => ({ seq: 2, type: 'response', request_seq: 1, command, ...more });

const told: readonly unknown[] = [
  event('initialized'),
  event('stopped', { reason: 'exception', text: 'boom', description: 'paused', threadId: 1, allThreadsStopped: true }),
  event('continued', { threadId: 1, allThreadsContinued: true }),
  event('output', { category: 'stdout', output: 'duplex-passed-0123456789abcdef-1.\nhello' }),
  event('thread', { reason: 'started', threadId: 1 }),
  event('thread', { reason: 'exited', threadId: 1 }),
  event('exited', { exitCode: 1 }),
  event('terminated', { restart: true }),
  response('continue', { success: false, message: 'cannot' }),
  response('next', { success: true, body: {} }),
  response('launch', {
    success: false,
    message: 'a',
    body: { error: { id: 1, format: 'no {what} {__proto__}', variables: { what: 'file' } } },
  }),
];

const asked: readonly unknown[] = ['continue', 'next', 'launch', 'disconnect'].map((command) => ({ seq: 1, type: 'request', command }));

const step = fc.oneof(
  { arbitrary: fc.record({ way: fc.constant('told' as const), message: changedJson(told) }), weight: 4 },
  { arbitrary: fc.record({ way: fc.constant('asked' as const), message: changedJson(asked) }), weight: 1 },
);

/** What an adapter sends is followed as far as it makes sense: nothing throws, what is over stays over, and all that is kept is bounded. */
const events = target('debugger events', fc.array(step, { maxLength: 8 }), (steps) => {
  const marks = new LogMarks();
  const record = new SessionRecord((written) => marks.take(written));
  let [written, stops, isOver] = [0, 0, false];
  for (const { way, message } of steps) {
    if (way === 'told') {
      record.didSend(message);
    } else {
      record.didAsk(message);
    }
    assert.ok(!isOver || record.state === 'ended', 'what is over stays over');
    assert.equal(record.stop !== undefined, record.state === 'stopped');
    assert.ok(record.written >= written && record.stops >= stops);
    [written, stops, isOver] = [record.written, record.stops, record.state === 'ended'];
    const texts = [record.endReason, record.stop?.reason, record.stop?.text];
    assert.ok(texts.every((text) => text === undefined || text.length <= 2_000));
    assert.ok(record.outputSince(0).length <= 101_000);
    assert.ok([record.exitCode, record.stop?.threadId, record.anyThread].every((each) => each === undefined || typeof each === 'number'));
  }
});

const answers: Readonly<Record<string, unknown>> = {
  threads: { threads: [{ id: 1, name: 'main' }] },
  stackTrace: { stackFrames: [{ id: 1, name: 'f', source: { path: '/a.py' }, line: 3, column: 1 }], totalFrames: 1 },
  exceptionInfo: { exceptionId: 'E', description: 'E: boom', breakMode: 'always', details: { message: 'boom' } },
  scopes: {
    scopes: [
      { name: 'Locals', variablesReference: 1 },
      { name: 'Globals', variablesReference: 2, expensive: true },
    ],
  },
  variables: {
    variables: [
      { name: 'a', value: '1', type: 'int', variablesReference: 0 },
      { name: 'b', value: '[1]', variablesReference: 3 },
    ],
  },
};

const adapter = fc.record(Object.fromEntries(Object.entries(answers).map(([command, answer]) => [command, changedJson([answer])])));

/** What an adapter answers about a program that stands still is read within bounds, however deep it refers to itself. */
const values = target('debugger answers', fc.tuple(adapter, fc.nat({ max: 4 })), async ([all, depth]) => {
  let questions = 0;
  const ask = (command: string): Promise<unknown> => {
    questions += 1;
    return all[command] === null ? Promise.reject(new Error('no')) : Promise.resolve(all[command]);
  };
  assert.ok((await threadsOf(ask)).every((id) => typeof id === 'number'));
  const frames = await framesOf(ask, 1, maxFrames);
  assert.ok(frames.length <= maxFrames && frames.every(({ name }) => name.length <= 500));
  assert.ok(((await exceptionOf(ask, 1)) ?? '').length <= maxValue);
  questions = 0;
  const { variables } = await variablesOf(ask, 1, { depth });
  assert.ok(variables.length <= 400 && questions <= 1_000, `${variables.length} variables, ${questions} questions`);
  assert.ok(variables.every(({ name, value = '' }) => name.length <= 500 && value.length <= maxValue));
});

export const debugTargets: readonly Target[] = [events, values];
