import assert from 'node:assert/strict';
import type { ActRequest } from '../../../../src/server/access/clientApproval.ts';
import type { ClientAccess } from '../../../../src/server/access/clientAccess.ts';
import { AccessBench, look, tests, waiter, windowToken } from '../support/accessBench.ts';

const claude = { kind: 'model', name: 'Claude' } as const;

describe('A run beside unsaved files', () => {
  let bench: AccessBench;
  let client: ClientAccess;
  beforeEach(async () => {
    bench = new AccessBench();
    client = bench.session(windowToken, 's1');
    await bench.answered(client, look, 'allowSession', 'runner');
  });
  afterEach(() => bench.dispose());

  const unsaved = (...names: string[]): ActRequest => ({ ...tests(), unsaved: names });

  it('names them and offers to save them first, which holds for this once', async () => {
    const confirming = client.confirm(unsaved('src/a.ts', 'src/b\u200B.ts'), waiter());
    const { detail, choices } = await bench.person.untilAsked();
    assert.deepEqual(
      [choices, detail.kind === 'clientAct' && detail.unsaved],
      [
        ['deny', 'allowOnce', 'saveAndRun', 'allowSession'],
        ['src/a.ts', 'src/b⟨U+200B⟩.ts'],
      ],
    );
    bench.person.answer('saveAndRun');
    assert.deepEqual(await confirming, { afterSaving: ['src/a.ts', 'src/b\u200B.ts'] });
    assert.deepEqual(
      bench.person.ledger.answers().filter(({ action }) => action === 'clientAct'),
      [],
    );
    assert.equal(await bench.confirmed(client, tests(), 'deny'), 'denied by the person in VS Code');
  });

  it('is the same act as without them: what was allowed for the session counts, and saves nothing', async () => {
    await bench.confirmed(client, tests(), 'allowSession');
    assert.equal(await client.confirm(unsaved('src/a.ts'), waiter()), 'asItIs');
    assert.equal(bench.person.isAsked, false);
  });

  it('is the same question for a retry that finds others unsaved, and saves those that the question named', async () => {
    const confirming = client.confirm(unsaved('src/a.ts'), waiter());
    await bench.person.untilAsked();
    bench.clock.advance(25_000);
    await assert.rejects(confirming, { code: 'server.waiting' });
    const retry = client.confirm(unsaved('src/b.ts'), waiter());
    bench.person.answer('saveAndRun');
    assert.deepEqual(await retry, { afterSaving: ['src/a.ts'] });
  });

  it('lets one of several identical calls through after saving', async () => {
    const both = [client.confirm(unsaved('src/a.ts'), waiter()), client.confirm(unsaved('src/a.ts'), waiter())];
    await bench.person.untilAsked();
    bench.person.answer('saveAndRun');
    assert.deepEqual(await Promise.race(both), { afterSaving: ['src/a.ts'] });
    await bench.person.untilAsked();
    bench.person.answer('deny');
    assert.deepEqual((await Promise.allSettled(both)).map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('offers it in the combined question about the role, too', async () => {
    const lower = bench.session(windowToken, 's2');
    await bench.answered(lower, look, 'allowSession', 'reader');
    const confirming = lower.confirm(unsaved('src/a.ts'), waiter());
    assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowOnce', 'saveAndRun', 'raiseRole']);
    bench.person.answer('saveAndRun');
    assert.deepEqual(await confirming, { afterSaving: ['src/a.ts'] });
    assert.deepEqual(lower.state, { kind: 'allowed', role: 'reader' });
  });

  it('offers it to the chat, too', async () => {
    const chat = bench.session({ id: 'chat', kind: 'chat' }, 'c');
    const { id: ownCallId } = bench.person.ownCalls.begin({ principal: 'chat', asker: claude, ask: bench.person.questions.ask });
    const confirming = chat.confirm(unsaved('src/a.ts'), { ...waiter(), ownCallId });
    const { detail, choices } = await bench.person.untilAsked();
    assert.deepEqual(
      [choices, detail.kind === 'ownAct' && detail.unsaved],
      [['deny', 'allowOnce', 'saveAndRun', 'allowSession'], ['src/a.ts']],
    );
    bench.person.answer('saveAndRun');
    assert.deepEqual(await confirming, { afterSaving: ['src/a.ts'] });
  });
});
