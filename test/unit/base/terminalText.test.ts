import assert from 'node:assert/strict';
import { BoundedText } from '../../../src/base/boundedText.ts';
import { PlainTextStream } from '../../../src/base/terminalText.ts';

describe('Output that comes in pieces', () => {
  it('has an unfinished line as it stands on the screen, with its last blank', () => {
    const stream = new PlainTextStream();
    assert.deepEqual([stream.push('hello\nName? '), stream.unfinished], ['hello\n', 'Name? ']);
    assert.deepEqual([stream.push('\r\u001B[K\u001B[1mAge?\u001B[0m '), stream.unfinished], ['', 'Age? ']);
    assert.deepEqual([stream.push('7\r\ndone\r\n'), stream.unfinished], ['Age? 7\ndone\n', '']);
  });
});

describe('A bounded text', () => {
  const mark = (leftOut: number): string => `[${leftOut}]`;

  it('is read from a position on, also where its middle was left out', () => {
    const text = new BoundedText(6, 6);
    text.append('one\ntwo\n');
    assert.deepEqual([text.read(mark, 4), text.read(mark, 8), text.total], ['two\n', '', 8]);
    text.append('three\nfour\nfive\n');
    assert.equal(text.total, 24);
    assert.deepEqual([text.read(mark), text.read(mark, 2), text.read(mark, 10)], ['one\n[15]five\n', 'e\n[15]five\n', '[15]five\n']);
    assert.deepEqual([text.read(mark, 19), text.read(mark, 21)], ['five\n', 've\n']);
  });
});
