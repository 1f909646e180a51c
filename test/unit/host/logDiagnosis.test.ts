import assert from 'node:assert/strict';
import { diagnoseLog } from '../../../src/host/logDiagnosis.ts';

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
  ] as const) {
    it(`is a missing variable: ${line}`, () => {
      const lines = ['Starting (attempt 1).', ...said('node: a warning', line, '    at main (/x/y.js:1:2)'), 'Failed: The server ended.'];
      assert.deepEqual(diagnoseLog(lines), { kind: 'missingVariable', name, line });
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

  it('is nothing where the server said nothing', () => {
    assert.equal(diagnoseLog(['Starting (attempt 1).', 'Failed: The server did not answer within 60 s.']), undefined);
  });
});
