import assert from 'node:assert/strict';
import { joinCommand, parseCommandLine } from '../../../src/base/commandLine.ts';

describe('A command line', () => {
  for (const [text, command, args] of [
    ['npx -y @scope/server-x', 'npx', ['-y', '@scope/server-x']],
    ['  node   "a b.mjs"  \'c "d"\' ', 'node', ['a b.mjs', 'c "d"']],
    ['node a\\ b.mjs --x="1 2" ""', 'node', ['a b.mjs', '--x=1 2', '']],
    ['"C:\\Program Files\\x.exe" C:\\new\\table', 'C:\\Program Files\\x.exe', ['C:\\new\\table']],
    ['dir "C:\\Program Files\\"', 'dir', ['C:\\Program Files\\']],
    ['sh "-c" "a \\"b\\" && c" $HOME *', 'sh', ['-c', 'a "b" && c', '$HOME', '*']],
    [`echo "&&" '|' a;b \\" \\\\ "\\\\"`, 'echo', ['&&', '|', 'a;b', '"', '\\', '\\']],
  ] as const) {
    it(`is split without a shell: ${text}`, () => {
      assert.deepEqual(parseCommandLine(text), { kind: 'ok', command, args });
    });
  }

  it('is refused when nothing is there, a quote stays open, or it needs a shell', () => {
    assert.deepEqual(parseCommandLine('  '), { kind: 'empty' });
    assert.deepEqual(parseCommandLine('"" x'), { kind: 'empty' });
    assert.deepEqual(parseCommandLine('node "a'), { kind: 'openQuote' });
    assert.deepEqual(parseCommandLine("node it's"), { kind: 'openQuote' });
    assert.deepEqual(parseCommandLine('cd x && node y'), { kind: 'shellSyntax', sign: '&&' });
    assert.deepEqual(parseCommandLine('TOKEN=1 node y'), { kind: 'shellSyntax', sign: 'TOKEN=1' });
  });

  it('is split the same way where a shell is available but not needed', () => {
    assert.deepEqual(parseCommandLine(`npx mocha  --grep "a b" 'c d' e=f`, 'available'), {
      kind: 'ok',
      command: 'npx',
      args: ['mocha', '--grep', 'a b', 'c d', 'e=f'],
    });
    assert.deepEqual(parseCommandLine('make', 'available'), { kind: 'ok', command: 'make', args: [] });
  });

  it('is left to an available shell when only a shell knows what it means', () => {
    const commands = ['a && b', 'a | b', 'a > b', 'echo $HOME', 'ls *', 'A=1 b', 'a "b', '', '  ', 'a\nb', 'a `b`', 'a \\ b', 'a "$b"'];
    assert.deepEqual(
      commands.filter((command) => parseCommandLine(command, 'available').kind === 'ok'),
      [],
    );
  });

  it('is shown as a person would type it', () => {
    assert.equal(joinCommand(['npm', 'test', '--', `it's a "test"`]), `npm test -- 'it'\\''s a "test"'`);
  });

  it('is read in time, however many backslashes and quotes it has', () => {
    const begun = performance.now();
    for (const piece of ['\\', '"', "'", '\\"', '" ', '"\\']) {
      parseCommandLine(`"${piece.repeat(100_001)}`);
    }
    assert.ok(performance.now() - begun < 10_000, 'it takes too long');
  });
});
