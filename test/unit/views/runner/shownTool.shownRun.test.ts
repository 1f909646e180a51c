import assert from 'node:assert/strict';
import { messageOf } from '../../../../src/base/errors.ts';
import type { EndedRun } from '../../../../src/host/byHand/toolByHand.ts';
import { resultContent } from '../../../../src/views/runner/toolResults.ts';
import { shownRun } from '../../../../src/views/runner/shownTool.ts';

const names = { server: 'weather', tool: 'forecast', hasApp: false };
const ended = (outcome: EndedRun['outcome']): EndedRun => ({ kind: 'ended', arguments: { city: 'Bern' }, outcome, elapsedMs: 12 });
const shown = (outcome: EndedRun['outcome']): ReturnType<typeof shownRun> => shownRun(ended(outcome), names, messageOf);

describe('A run that has ended', () => {
  it('shows its result, its size and the arguments as they went out', () => {
    const result = { isError: false, content: [{ type: 'text', text: 'sun\u200b' }], structuredContent: { degrees: 21 } };
    assert.deepEqual(shown({ kind: 'result', result }), {
      kind: 'ended',
      ending: 'succeeded',
      items: [
        { kind: 'text', text: 'sun⟨U+200B⟩' },
        { kind: 'structured', json: '{\n  "degrees": 21\n}' },
      ],
      bytes: Buffer.byteLength(JSON.stringify([result.content, result.structuredContent])),
      arguments: '{\n  "city": "Bern"\n}',
      elapsedMs: 12,
    });
  });

  it('says that its tool has a page, which can be shown with a result only', () => {
    const result = { isError: false, content: [] };
    const hasApp = (outcome: EndedRun['outcome']): unknown => {
      const run = shownRun(ended(outcome), { ...names, hasApp: true }, messageOf);
      return run.kind === 'ended' && run.hasApp;
    };
    assert.deepEqual([hasApp({ kind: 'result', result }), hasApp({ kind: 'cancelled' })], [true, undefined]);
  });

  it('has failed when the tool says so, and says why when there is no result', () => {
    const endings = [
      shown({ kind: 'result', result: { isError: true, content: [] } }),
      shown({ kind: 'denied', by: 'person' }),
      shown({ kind: 'denied', by: 'ledger' }),
      shown({ kind: 'cancelled' }),
    ];
    assert.deepEqual(
      endings.map((run) => run.kind === 'ended' && [run.ending, run.error]),
      [
        ['failed', undefined],
        ['denied', 'Running “forecast” of “weather” was not allowed.'],
        [
          'denied',
          'Running “forecast” of “weather” is refused by a stored answer (“Always deny”). Take it back with “Duplex: Manage Permissions”.',
        ],
        ['cancelled', 'Running “forecast” of “weather” was cancelled.'],
      ],
    );
  });

  it('shows the beginning of what is too long for a page, and says so', () => {
    const run = shown({ kind: 'result', result: { isError: false, content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] } });
    assert.ok(run.kind === 'ended' && run.isCut === true && JSON.stringify(run).length < 500_000);
    assert.ok(run.bytes > 3_000_000);
  });
});

describe('A result that is sent to the chat', () => {
  it('is all of it, and says that it is an error', () => {
    assert.deepEqual(
      resultContent(
        [
          { kind: 'text', text: 'a' },
          { kind: 'structured', json: '{}' },
          { kind: 'image', mimeType: 'image/png', data: 'aGk=' },
          { kind: 'link', uri: 'file:///a', name: 'a' },
        ],
        true,
      ),
      [
        { kind: 'text', name: '', text: 'The tool reported an error:' },
        { kind: 'text', name: '', text: 'a' },
        { kind: 'text', name: '', text: '{}' },
        { kind: 'blob', name: '', mimeType: 'image/png', data: 'aGk=' },
        { kind: 'link', name: 'a', uri: 'file:///a' },
      ],
    );
  });
});
