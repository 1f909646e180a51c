import assert from 'node:assert/strict';
import { toPlainText } from '../../../../src/base/terminalText.ts';
import { CommandHistory, CommandRecord } from '../../../../src/editor/terminals/commandHistory.ts';

describe('A terminal’s output as plain text', () => {
  for (const [what, raw, plain] of [
    ['has no colours', '\u001b[31mred\u001b[0m \u001b[1;38;5;12mblue\u001b[m', 'red blue'],
    [
      'has no window titles, links or marks of the shell',
      '\u001b]0;title\u0007a\u001b]8;;https://example.org\u001b\\b\u001b]8;;\u001b\\\u001b]633;D;0\u0007',
      'ab',
    ],
    ['has no device strings and character sets', '\u001bPq#0\u001b\\a\u001b(Bb\u001b=c', 'abc'],
    ['has no eight-bit control sequences', '\u009b31ma\u009b0m', 'a'],
    ['shows what was last written on a line', 'loading 10%\rloading 99%\rdone\u001b[K\nnext', 'done\nnext'],
    ['keeps what a shorter text left standing', 'abcdef\rxy', 'xycdef'],
    ['takes backspaces into account', 'abc\b\bX', 'aXc'],
    ['keeps line ends of both kinds and tabs', 'a\r\nb\tc\n', 'a\nb\tc\n'],
    ['is erased where the program erased it', 'secret\u001b[2Kok\u001b[1G\u001b[0Kfine', 'fine'],
    ['drops an unfinished sequence', 'a\u001b]0;never ends', 'a'],
    ['drops other control characters', 'a\u0000b\u0001c\u007fd', 'abcd'],
  ] as const) {
    it(what, () => assert.equal(toPlainText(raw), plain));
  }

  it('is made in linear time, whatever the program prints', () => {
    const started = performance.now();
    toPlainText('\u001b]'.repeat(200_000));
    toPlainText(`\u001b[${'1;'.repeat(200_000)}`);
    toPlainText('\u001b[999999999C\u001b[Kx'.repeat(50));
    assert.ok(performance.now() - started < 10_000);
  });
});

describe('The history of terminal commands', () => {
  const record = (terminalId: string, command: string, output = ''): CommandRecord => {
    const made = new CommandRecord(terminalId, command, undefined);
    made.append(output);
    return made;
  };

  it('keeps the end of a long output and says that it was cut', () => {
    const made = record('1', 'yes');
    for (let line = 1; line <= 100; line += 1) {
      made.append(`${String(line).padStart(10_000, '.')}\n`);
    }
    assert.equal(made.isCut, true);
    assert.ok(made.output.length < 300_000);
    assert.ok(made.output.endsWith('.100'));
    assert.match(made.output.split('\n')[0] ?? '', /^\.{9000,}\d+$/, 'the first line is whole');
  });

  it('knows a command of which nothing came from one that printed nothing', () => {
    assert.deepEqual([record('1', 'pwd').isHeard, record('1', 'true', '\u001b]633;C\u0007').isHeard], [false, true]);
  });

  it('shows no line whose beginning was cut off, however long it is', () => {
    const made = record('1', 'cat key');
    for (let piece = 0; piece < 100; piece += 1) {
      made.append('s'.repeat(10_000));
    }
    assert.equal(made.output, '');
    made.append('rest of the secret\nnext line');
    assert.equal(made.output, 'next line');
  });

  it('keeps the last 50 commands of a terminal, and at most two million characters', () => {
    const history = new CommandHistory();
    for (let count = 1; count <= 60; count += 1) {
      history.add(record('1', `command ${count}`));
    }
    assert.deepEqual([history.list('1').length, history.list('1')[0]?.command], [50, 'command 11']);
    for (let count = 1; count <= 20; count += 1) {
      history.add(record('2', `large ${count}`, 'x'.repeat(250_000)));
    }
    assert.equal(history.list('2').length, 8);
  });

  it('forgets terminals that were closed long ago', () => {
    const history = new CommandHistory();
    for (let id = 1; id <= 8; id += 1) {
      history.add(record(String(id), 'ls'));
      history.close(String(id));
    }
    assert.deepEqual(history.terminalIds(), ['4', '5', '6', '7', '8']);
  });
});
