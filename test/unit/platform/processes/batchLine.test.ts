import assert from 'node:assert/strict';
import type { AppError } from '../../../../src/base/errors.ts';
import { batchArguments, isRefusedByBatch } from '../../../../src/platform/processes/batchLine.ts';
import { readAsCmd, splitAsRuntime, withoutOuterQuotes } from './support/windowsParsers.ts';

const file = String.raw`C:\Program Files (x86)\R&D ^tools\run.cmd`;

function lineFor(args: readonly string[], batchFile = file): string {
  const { values } = batchArguments(
    batchFile,
    args.map((value) => ({ value, shown: value })),
  );
  assert.deepEqual(values.slice(0, -1), ['/d', '/s', '/c']);
  return values.at(-1) ?? '';
}

function refusal(args: readonly { value: string; shown: string }[], batchFile = file): AppError {
  try {
    batchArguments(batchFile, args);
  } catch (error) {
    return error as AppError;
  }
  return assert.fail('It should be refused.');
}

/** What a program gets that the batch file starts with `%*`, when cmd.exe reads the line so many times on the way. */
function argumentsAfter(line: string, readings: number): readonly string[] {
  let text = withoutOuterQuotes(line);
  for (let count = 0; count < readings; count += 1) {
    const { line: next, found } = readAsCmd(text);
    assert.deepEqual(found, [], text);
    text = next;
  }
  return splitAsRuntime(text);
}

/** Numbers that look random and are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const letters = ['ab1 \\\\\\//\t\'`,;=()[]{}$@#*?~+-_.:%!"&|<>^\n\r\u001A\u000Bä日＂％\u2028'.split(''), '😀'].flat();
const refusedLetters = /[%!"&|<>^\n\r\u001A\u000B＂％]/;

describe('The line with which cmd.exe runs a batch file', () => {
  it('never yields other arguments than those given, for the batch file, and for what it hands them on to (release)', () => {
    const next = randomNumbers(28);
    let allowed = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const args = Array.from({ length: next(5) }, () => Array.from({ length: next(8) }, () => letters[next(letters.length)]).join(''));
      const isRefused = args.some((each) => refusedLetters.test(each));
      if (isRefused) {
        assert.equal(refusal(args.map((value) => ({ value, shown: value }))).code, 'definitions.batchArgument', JSON.stringify(args));
      } else {
        allowed += 1;
        const line = lineFor(args);
        // Once for cmd.exe itself, once for `%*` in the batch file, and once more for a `call` in it.
        for (const readings of [1, 2, 3]) {
          assert.deepEqual(argumentsAfter(line, readings), [file, ...args], line);
        }
      }
    }
    assert.ok(allowed > 1_000, String(allowed));
  });

  it('quotes what is not a plain word, and keeps backslashes from eating the quotation mark', () => {
    assert.equal(
      lineFor(['-y', 'a b', '', 'C:\\dir x\\', 'k=v', '@scope/pkg@1.0.0'], 'C:\\t\\x.cmd'),
      String.raw`""C:\t\x.cmd" -y "a b" "" "C:\dir x\\" "k=v" @scope/pkg@1.0.0"`,
    );
  });

  it('is refused for each character that means something to cmd.exe, with a sentence that says what to do', () => {
    for (const character of '%!"&|<>^\n\r\u0000\u001A＆｜'.split('')) {
      assert.equal(isRefusedByBatch(`a${character}b`), true, JSON.stringify(character));
      const error = refusal([{ value: `a${character}b`, shown: 'shown' }]);
      assert.equal(error.code, 'definitions.batchArgument');
      assert.match(error.message, /“shown”.*Name the program that the batch file starts/);
      assert.ok(!error.message.includes('ab'), 'the value may be a secret');
    }
    assert.equal(refusal([{ value: 'fine', shown: '${env:A%B}' }]).code, 'definitions.batchArgument');
  });

  it('is refused for a path that cannot be escaped, and when it is too long for cmd.exe', () => {
    for (const bad of ['C:\\100%\\x.cmd', 'C:\\a!b\\x.cmd']) {
      assert.equal(refusal([], bad).code, 'definitions.batchPath');
    }
    assert.equal(refusal([{ value: 'a'.repeat(8_000), shown: 'long' }]).code, 'definitions.batchTooLong');
  });

  it('shows the names of variables and inputs, not their values', () => {
    const { values, shown } = batchArguments('C:\\x.cmd', [{ value: 's3cret word', shown: '${input:token}' }]);
    assert.equal(values.at(-1), '""C:\\x.cmd" "s3cret word""');
    assert.equal(shown, '""C:\\x.cmd" "${input:token}""');
  });
});

describe('The parsers that check these lines', () => {
  it('find what cmd.exe would find', () => {
    assert.deepEqual(readAsCmd('"x.cmd" "a"&calc').found, ['&']);
    assert.deepEqual(readAsCmd('"x.cmd" "a%PATH%b"').found, ['%PATH%']);
    assert.deepEqual(readAsCmd('"x.cmd" "a\\"&calc').found, ['&'], 'a backslash does not escape a quotation mark for cmd.exe');
    assert.deepEqual(readAsCmd('x ^& y'), { line: 'x & y', found: ['^'] });
    assert.deepEqual(readAsCmd('x "').found, ['an open quotation mark']);
  });

  it('split as the runtime splits', () => {
    assert.deepEqual(splitAsRuntime(String.raw`"a b.exe" "c d" e\\f "g\\" "h\"i" j"k"l "" "m""n"`), [
      'a b.exe',
      'c d',
      String.raw`e\\f`,
      'g\\',
      'h"i',
      'jkl',
      '',
      'm"n',
    ]);
  });
});
