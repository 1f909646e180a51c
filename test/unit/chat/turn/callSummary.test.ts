import assert from 'node:assert/strict';
import * as z from 'zod';
import type { JsonObject } from '../../../../src/base/json.ts';
import { aboutCall, factsOf } from '../../../../src/chat/turn/callSummary.ts';
import type { ModelTool } from '../../../../src/chat/models/modelProvider.ts';
import { tools } from '../../../../src/server/offer/tools/toolTable.ts';

const tool = (server: string, name: string, inputSchema: JsonObject = {}): ModelTool => ({
  name: `${server}_${name}`,
  description: '',
  inputSchema,
  server,
  tool: name,
});

describe('What the line of a tool call is about', () => {
  it('is the telling argument of a tool of the editor', () => {
    const about = (name: string, args: JsonObject): string | undefined => aboutCall(tool('editor', name), args);
    assert.deepEqual(
      [
        about('read_file', { startLine: 3, path: 'src/a.ts' }),
        about('get_diagnostics', { scope: 'project' }),
        about('get_diagnostics', {}),
        about('run_terminal_command', { command: 'npm test\nnpm run build' }),
        about('find_references', { path: 'a.ts', symbol: 'Cart.add' }),
        about('propose_edits', { files: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'c.ts' }] }),
        about('propose_edits', { files: 'a.ts' }),
        about('read_file', { path: 7 }),
        about('__proto__', { path: 'a' }),
      ],
      ['src/a.ts', 'project', undefined, 'npm test npm run build', 'Cart.add', 'a.ts +2', undefined, undefined, undefined],
    );
  });

  it('is the first required short text of another tool, with nothing invisible in it', () => {
    const schema = { type: 'object', required: ['body', 'count', 'to', 'subject'] };
    const about = (args: JsonObject): string | undefined => aboutCall(tool('mail', 'send', schema), args);
    assert.deepEqual(
      [
        about({ body: 'x'.repeat(500), count: 3, to: 'anna@example.com', subject: 'Hello' }),
        about({ note: 'not required', subject: 'a\u200bb' }),
        about({ body: 'two\nlines', note: 'short' }),
        aboutCall(tool('mail', 'send', { required: 'to' }), { to: 'anna' }),
      ],
      ['anna@example.com', 'a⟨U+200B⟩b', undefined, undefined],
    );
  });

  it('knows a telling argument of every tool of the editor that takes a text', () => {
    const silent = tools.filter(({ name, input }) => {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
      const args = Object.fromEntries(Object.keys(properties).map((each) => [each, each === 'files' ? [{ path: 'a.ts' }] : 'text']));
      return aboutCall(tool('editor', name), args) === undefined;
    });
    assert.deepEqual(
      silent.map(({ name }) => name),
      ['list_open_editors', 'list_workspace_folders', 'get_selection', 'list_tasks', 'list_debug'],
    );
  });
});

describe('What came of a call of the editor', () => {
  const problem = (severity: string): JsonObject => ({ severity });
  const count = (of: string, number: number): object => ({ kind: 'count', of, count: number });

  it('is counted in its answer', () => {
    assert.deepEqual(
      [
        factsOf('get_diagnostics', { diagnostics: [problem('error'), problem('hint'), problem('error'), problem('warning')], total: 4 }),
        factsOf('get_diagnostics', { diagnostics: [], total: 0 }),
        factsOf('get_diagnostics', { diagnostics: [problem('error')], total: 900 }),
        factsOf('read_file', { totalLines: 120 }),
        factsOf('run_tests', { run: { counts: { passed: 10, failed: 2, skipped: 0 } } }),
        factsOf('run_terminal_command', { exitCode: 1 }),
        factsOf('propose_edits', { files: [{ outcome: 'accepted' }, { outcome: 'rejected' }] }),
        factsOf('propose_edit', { outcome: 'rejected' }),
        factsOf('get_hover', { contents: 'x' }),
        factsOf('constructor', {}),
      ],
      [
        [count('errors', 2), count('warnings', 1)],
        [count('problems', 0)],
        [count('problems', 900)],
        [count('lines', 120)],
        [count('failed', 2), count('passed', 10)],
        [{ kind: 'exitCode', code: 1 }],
        [{ kind: 'review', outcome: 'partlyAccepted' }],
        [{ kind: 'review', outcome: 'rejected' }],
        [],
        [],
      ],
    );
  });

  it('is counted where the published answer has a list', () => {
    const uncounted = tools.filter(({ name, output }) => {
      const { properties = {} } = z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' });
      const lists = Object.entries(properties).filter(([, each]) => typeof each === 'object' && each.type === 'array');
      const answer = Object.fromEntries(lists.map(([member]) => [member, [{ outcome: 'accepted' }]]));
      const { outcome } = properties;
      return lists.length > 0 && factsOf(name, { ...answer, ...(outcome !== undefined && { outcome: 'accepted' }) }).length === 0;
    });
    assert.deepEqual(
      uncounted.map(({ name }) => name),
      ['get_selection', 'run_tests', 'run_task', 'list_debug', 'set_breakpoints', 'start_debugging', 'get_debug_state', 'trace_run'],
    );
  });
});
