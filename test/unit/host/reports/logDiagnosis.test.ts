import assert from 'node:assert/strict';
import { diagnoseLog, lastErrorLines } from '../../../../src/host/reports/logDiagnosis.ts';

const said = (...lines: readonly string[]): string[] => lines.map((line) => `stderr: ${line}`);
const stray = (...lines: readonly string[]): string[] => lines.map((line) => `Not a message, ignored: ${line}`);

describe('What the log of a server shows', () => {
  for (const [line, name] of [
    ['DATABASE_URL is not set', 'DATABASE_URL'],
    ['Error: GITHUB_TOKEN environment variable is required', 'GITHUB_TOKEN'],
    ["KeyError: 'OPENAI_API_KEY'", 'OPENAI_API_KEY'],
    ['Missing required environment variable: NOTION_KEY', 'NOTION_KEY'],
    ['please set the environment variable SLACK_TOKEN and start again', 'SLACK_TOKEN'],
    ['fatal: API_KEY must be set', 'API_KEY'],
    ['missing API_KEY', 'API_KEY'],
    ['MISSING ENVIRONMENT VARIABLE: API_KEY', 'API_KEY'],
    ['The `PORT_NAME` environment variable is missing', 'PORT_NAME'],
    ['API_KEY was not provided', 'API_KEY'],
    ['TOKEN_FILE is undefined', 'TOKEN_FILE'],
    ['Required: API_KEY', 'API_KEY'],
  ] as const) {
    it(`is a missing variable: ${line}`, () => {
      const lines = ['Starting (attempt 1).', ...said('node: a warning', line, '    at main (/x/y.js:1:2)'), 'Failed: The server ended.'];
      assert.deepEqual(diagnoseLog(lines), { kind: 'missingVariable', name, line });
    });
  }

  for (const line of [
    'NODE_ENV is set to production',
    'API_KEY is provided by the keychain',
    'API_KEY is not required',
    'API_KEY is not missing',
    'Not required: API_KEY',
    'No longer reads the environment variable API_KEY',
    'Missing required environment variables. Please see README',
    'missing config_file',
    'Log level set by the environment variable LOG_LEVEL',
    'Optional environment variable: API_KEY; required environment variable: none',
    'All required environment variables: API_KEY are set',
  ]) {
    it(`is no missing variable: ${line}`, () => {
      assert.notEqual(diagnoseLog(said(line))?.kind, 'missingVariable');
    });
  }

  it('is a missing module, or a port that is taken', () => {
    assert.deepEqual(diagnoseLog(said("Error: Cannot find module 'zod'", '    at x (/y.js:1:1)')), {
      kind: 'missingModule',
      name: 'zod',
      line: "Error: Cannot find module 'zod'",
    });
    assert.equal(diagnoseLog(said("ModuleNotFoundError: No module named 'mcp'"))?.kind, 'missingModule');
    assert.equal(diagnoseLog(said('Error: listen EADDRINUSE: address already in use :::3000'))?.kind, 'addressInUse');
  });

  it('is text where only messages belong, when there is more of it than a greeting', () => {
    const flood = Array.from({ length: 40 }, (_, index) => `tick ${index}`);
    assert.deepEqual(diagnoseLog([...stray(...flood), 'Failed: The server did not answer within 60 s.']), {
      kind: 'strayOutput',
      count: 40,
      line: 'tick 0',
    });
    assert.equal(diagnoseLog(stray('Welcome!')), undefined);
    assert.equal(diagnoseLog(stray('x', 'y', 'DATABASE_URL is not set'))?.kind, 'missingVariable');
  });

  it('is otherwise the last line that speaks of an error, and not where in the program it happened', () => {
    const lines = said('connecting', 'Error: connection refused by db.example', '    at connect (/x/y.js:1:2)', 'Node.js v22.0.0', 'bye');
    assert.deepEqual(diagnoseLog(lines), { kind: 'errorLine', line: 'Error: connection refused by db.example' });
    assert.deepEqual(diagnoseLog(said('bye')), { kind: 'errorLine', line: 'bye' });
  });

  it('is what the last start showed, or the one before while that says nothing', () => {
    const first = ['Starting (attempt 1).', ...said('API_KEY is not set'), 'Failed: The server ended.', 'Starting (attempt 2).'];
    assert.equal(diagnoseLog(first)?.kind, 'missingVariable');
    assert.equal(diagnoseLog([...first, ...said("Error: Cannot find module 'zod'")])?.kind, 'missingModule');
  });

  it('is nothing where the server said nothing', () => {
    assert.equal(diagnoseLog(['Starting (attempt 1).', 'Failed: The server did not answer within 60 s.']), undefined);
  });

  it('ends with what the server last wrote to its error output, five lines at most', () => {
    const lines = [
      'Starting (attempt 1).',
      ...said('a', 'b', 'c', '', 'd', 'e'),
      ...stray('hello'),
      ...said('f'),
      'Failed: The server ended.',
    ];
    assert.deepEqual(lastErrorLines(lines), ['b', 'c', 'd', 'e', 'f']);
    assert.deepEqual(lastErrorLines(['Starting (attempt 1).']), []);
  });
});
