import assert from 'node:assert/strict';
import { SessionRecord } from '../../../../src/editor/debug/sessionRecord.ts';

const event = (name: string, body: object = {}): object => ({ type: 'event', event: name, body });
const request = (seq: number, command: string): object => ({ type: 'request', seq, command });
const response = (seq: number, command: string, rest: object = {}): object => ({
  type: 'response',
  request_seq: seq,
  command,
  success: true,
  ...rest,
});

describe('The record of a debug session', () => {
  it('stands where its adapter said, until it is told to run on', () => {
    const record = new SessionRecord();
    assert.deepEqual([record.state, record.stops], ['running', 0]);
    record.didSend(event('stopped', { reason: 'breakpoint', threadId: 7 }));
    assert.deepEqual([record.state, record.stop], ['stopped', { reason: 'breakpoint', threadId: 7 }]);
    record.didAsk(request(1, 'next'));
    assert.deepEqual([record.state, record.stop], ['running', undefined]);
  });

  it('stands still where a step was answered after the next stop, or refused', () => {
    const record = new SessionRecord();
    record.didSend(event('stopped', { reason: 'entry', threadId: 1 }));
    record.didAsk(request(1, 'next'));
    record.didSend(event('stopped', { reason: 'step', threadId: 1 }));
    record.didSend(response(1, 'next'));
    assert.deepEqual([record.state, record.stops], ['stopped', 2]);
    record.didAsk(request(2, 'stepIn'));
    record.didSend(response(2, 'stepIn', { success: false, message: 'cannot' }));
    assert.deepEqual([record.state, record.stops], ['stopped', 2]);
  });

  it('has begun once the adapter was told everything, which for some is the launch itself, or tells of a thread', () => {
    const [told, simple, heard] = [new SessionRecord(), new SessionRecord(), new SessionRecord()];
    told.didSend(response(1, 'initialize', { body: { supportsConfigurationDoneRequest: true } }));
    told.didSend(response(2, 'launch'));
    assert.equal(told.hasBegun, false);
    let changes = 0;
    const listening = told.onDidChange(() => (changes += 1));
    told.didSend(response(3, 'configurationDone'));
    assert.deepEqual([told.hasBegun, changes], [true, 1]);
    listening.dispose();
    simple.didSend(response(1, 'initialize', { body: {} }));
    assert.equal(simple.hasBegun, false);
    simple.didSend(response(2, 'attach'));
    assert.equal(simple.hasBegun, true);
    heard.didSend(event('thread', { reason: 'started', threadId: 1 }));
    assert.equal(heard.hasBegun, true);
  });

  it('ends once, with what was said first about the reason', () => {
    const record = new SessionRecord();
    const body = { error: { format: 'no {file}', variables: { file: 'a.py' } } };
    record.didSend(response(1, 'launch', { success: false, message: 'failed', body }));
    record.end('something else');
    record.didSend(event('stopped', { reason: 'breakpoint' }));
    record.didSend(event('exited', { exitCode: 3 }));
    assert.deepEqual([record.state, record.endReason, record.exitCode], ['ended', 'no a.py', 3]);
  });

  it('says in bounds why a start failed, however long what it is made of', () => {
    const record = new SessionRecord();
    const body = { error: { format: '{a}'.repeat(600), variables: { a: 'x'.repeat(2 ** 20) } } };
    record.didSend(response(1, 'launch', { success: false, body }));
    assert.equal(record.endReason, 'x'.repeat(2_000));
  });

  it('keeps what was written within bounds, without what is for the makers of the adapter', () => {
    const record = new SessionRecord();
    record.didSend(event('output', { category: 'stdout', output: 'one\n' }));
    record.didSend(event('output', { category: 'telemetry', output: 'secretly\n' }));
    const position = record.written;
    record.didSend(event('output', { output: 'two\n' }));
    assert.deepEqual([record.outputSince(0), record.outputSince(position)], ['one\ntwo\n', 'two\n']);
    for (let index = 0; index < 1_000; index += 1) {
      record.didSend(event('output', { category: 'stderr', output: `${'x'.repeat(999)}\n` }));
    }
    assert.ok(record.outputSince(0).length < 200_000);
  });

  it('is not disturbed by messages that are none', () => {
    const record = new SessionRecord();
    for (const message of [undefined, 1, 'stopped', [], {}, { type: 'event' }, event('stopped', { threadId: 'x', reason: 3 })]) {
      record.didSend(message);
      record.didAsk(message);
    }
    assert.deepEqual(record.stop, { reason: 'stopped' });
  });
});
