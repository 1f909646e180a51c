import assert from 'node:assert/strict';
import type { AppError } from '../../../src/base/errors.ts';
import { debuggedArguments } from '../../../src/definitions/prepareLaunch.ts';
import type { Expanded } from '../../../src/definitions/variables.ts';

const plain = (text: string): Expanded => ({ value: text, shown: text, variables: [], inputs: [] });

function run(
  kind: 'node' | 'python',
  command: string,
  args: readonly string[],
  platform: NodeJS.Platform = 'linux',
): ReturnType<typeof debuggedArguments> {
  return debuggedArguments(kind, { command: plain(command), args: args.map(plain), platform });
}

const lineOf = (...given: Parameters<typeof run>): string =>
  run(...given)
    .args.map(({ value }) => value)
    .join(' ');

function refusal(...given: Parameters<typeof run>): AppError['code'] {
  try {
    return lineOf(...given);
  } catch (error) {
    return (error as AppError).code;
  }
}

describe('The arguments of a server that is debugged', () => {
  it('begin with the inspector of Node, on this machine only, whatever options follow', () => {
    assert.equal(lineOf('node', 'node', ['server.js', '--inspect']), '--inspect=127.0.0.1:0 server.js --inspect');
    assert.equal(
      lineOf('node', '/opt/node/bin/node', ['--import', 'tsx', 'server.ts', 'a']),
      '--inspect=127.0.0.1:0 --import tsx server.ts a',
    );
  });

  it('have debugpy after the options of Python and before its script or module', () => {
    const listen = '-m debugpy --listen 127.0.0.1:0';
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['server.py', '-m', 'x'], `${listen} server.py -m x`],
      [['-u', '-OO', 'server.py'], `-u -OO ${listen} server.py`],
      [['-W', 'ignore', '-Xdev', '-X', 'utf8', '-uB', 'server.py', '-u'], `-W ignore -Xdev -X utf8 -uB ${listen} server.py -u`],
      [['-u', '-m', 'my.server', '--port', '1'], `-u ${listen} -m my.server --port 1`],
      [['-c', 'import server'], `${listen} -c import server`],
    ];
    for (const [args, expected] of cases) {
      assert.equal(lineOf('python', 'python3', args), expected);
      const { args: made, debugger: prepared } = run('python', '.venv/bin/python3.12', args);
      assert.ok(prepared.kind === 'python');
      assert.equal(made[prepared.addressAt]?.value, '127.0.0.1:0');
    }
  });

  it('are refused where it cannot be told what Python would run', () => {
    for (const args of [['-um', 'server'], ['-mserver'], ['-'], ['--unknown', 'server.py'], ['-V']]) {
      assert.equal(refusal('python', 'python', args), 'definitions.debugUnknownOption', args.join(' '));
    }
    for (const args of [[], ['-u'], ['-W']]) {
      assert.equal(refusal('python', 'python', args), 'definitions.debugNoProgram', args.join(' '));
    }
  });

  it('are made for Node and Python alone, by name or by path', () => {
    const nodes = ['node', 'nodejs', 'node-22', '/usr/bin/node', 'C:\\Program Files\\nodejs\\NODE.EXE'];
    const pythons = ['python', 'python3', 'python3.13', '/venv/bin/python', 'C:\\Python\\python.exe'];
    for (const command of [...nodes, ...pythons]) {
      const isNode = nodes.includes(command);
      const platform = command.includes('\\') ? 'win32' : 'linux';
      const refused = 'definitions.debugOtherProgram';
      assert.equal(refusal('node', command, ['x'], platform) === refused, !isNode, command);
      assert.equal(refusal('python', command, ['x'], platform) === refused, isNode, command);
    }
    for (const command of ['npx', 'uv', 'uvx', 'py', 'bash', 'nodemon', 'node/run.sh', 'pythonic', 'ts-node', '${input:node}', '']) {
      assert.equal(refusal('node', command, ['x']), 'definitions.debugOtherProgram', command);
      assert.equal(refusal('python', command, ['x']), 'definitions.debugOtherProgram', command);
    }
  });
});
