import assert from 'node:assert/strict';
import type { ToolCallPart } from '../../../../../src/contract/chat/chatState.ts';
import { argumentsPreview, callMeta, factWords } from '../../../../../src/webview/chat/messages/callWords.tsx';
import { summariseTools } from '../../../../../src/webview/chat/composer/composerFoot.tsx';
import { formatBytes, formatElapsed } from '../../../../../src/webview/shared/formats.ts';
import { loadBundle, t } from '../../../../../src/webview/shared/localize.ts';

const call = (more: Partial<ToolCallPart>): ToolCallPart => ({
  kind: 'toolCall',
  id: 't',
  server: 's',
  tool: 't',
  state: 'done',
  arguments: '{}',
  result: [],
  resultBytes: 0,
  ...more,
});

describe('The line of a tool call', () => {
  it('says how long it took, or what became of it, and no bytes', () => {
    assert.deepEqual(
      [
        callMeta(call({ elapsedMs: 1234, resultBytes: 12_345 }), undefined),
        callMeta(call({ state: 'failed', elapsedMs: 60_000 }), undefined),
        callMeta(call({ state: 'running' }), undefined),
        callMeta(call({ state: 'running' }), 3000),
        callMeta(call({ state: 'denied' }), undefined),
      ],
      ['1.2 s', 'Failed · 1 min 0 s', 'Running', '3.0 s', 'Denied'],
    );
  });

  it('says in words what came of it', () => {
    assert.deepEqual(
      [
        factWords({ kind: 'count', of: 'errors', count: 2 }),
        factWords({ kind: 'count', of: 'matches', count: 1 }),
        factWords({ kind: 'count', of: 'problems', count: 0 }),
        factWords({ kind: 'exitCode', code: 1 }),
        factWords({ kind: 'review', outcome: 'partlyAccepted' }),
      ],
      ['2 errors', '1 match', 'no problems', 'exit code 1', 'partly accepted'],
    );
  });

  it('previews arguments on one line', () => {
    assert.equal(argumentsPreview('{\n  "a": 1\n}'), '{ "a": 1 }');
    assert.equal(argumentsPreview('{}'), '');
  });
});

describe('Numbers for people', () => {
  it('have the unit a reader expects', () => {
    assert.deepEqual([0, 999, 1000, 59_960, 61_000].map(formatElapsed), ['0 ms', '999 ms', '1.0 s', '1 min 0 s', '1 min 1 s']);
    assert.deepEqual([12, 1500, 12_345, 999_900, 5_000_000].map(formatBytes), ['12 B', '1.5 KB', '12 KB', '1.0 MB', '5.0 MB']);
  });

  it('sum up the servers and name what needs attention', () => {
    assert.deepEqual(
      summariseTools([
        { server: 'editor', count: 12, state: 'ready' },
        { server: 'demo', count: 3, state: 'needsPermission' },
        { server: 'x', count: 0, state: 'failed' },
      ]),
      {
        text: '3 servers · 12 tools',
        attention: '1 server waits for permission',
        shortly: '1 needs permission',
        tooltip: 'editor: 12 tools\ndemo: needs permission\nx: failed',
      },
    );
    assert.equal(summariseTools([{ server: 'demo', count: 1, state: 'ready' }]).text, '1 server · 1 tool');
    assert.equal(summariseTools([]).text, 'No servers yet');
  });
});

describe('Translations in a page', () => {
  afterEach(() => loadBundle(undefined));

  it('come from the bundle of the host, and English stands in for what is missing or malformed', () => {
    loadBundle('{"Deny": "Ablehnen", "{0} s": "{0} Sek.", "Allow": 1}');
    assert.deepEqual([t('Deny'), t('{0} s', 3), t('Allow'), t('Other {1}', 'a')], ['Ablehnen', '3 Sek.', 'Allow', 'Other {1}']);
    loadBundle('not json');
    assert.equal(t('Deny'), 'Deny');
  });
});
