import assert from 'node:assert/strict';
import { LogMarks } from '../../../../src/editor/debug/logMarks.ts';
import { SessionRecord } from '../../../../src/editor/debug/sessionRecord.ts';

describe('The marks of log points', () => {
  it('are taken out of what a program writes, and told in their order', () => {
    const marks = new LogMarks();
    const passed: number[] = [];
    const run = marks.begin((index) => passed.push(index));
    const record = new SessionRecord((written) => marks.take(written));
    const write = (output: string): void => record.didSend({ type: 'event', event: 'output', body: { output } });
    write(`one\n${run.messageOf(1)}\ntwo\n${run.messageOf(0)}`);
    write(`${run.messageOf(12)}\r\n`);
    assert.deepEqual([passed, record.outputSince(0)], [[1, 0, 12], 'one\ntwo\n']);
    run.dispose();
    write(`late ${run.messageOf(1)}`);
    assert.deepEqual([passed.length, record.outputSince(0)], [3, 'one\ntwo\nlate ']);
  });

  it('of nobody are left where they are', () => {
    const text = 'duplex-passed-0123456789abcdef-1.';
    assert.equal(new LogMarks().take(text), text);
  });
});
