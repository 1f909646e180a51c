import assert from 'node:assert/strict';
import { type RememberedAnswer, type ConsentRequest, decide, decideWithin, isSettledByPress } from '../../../src/consent/consentModel.ts';

const request: ConsentRequest = {
  principal: 'chat',
  action: 'callTool',
  subject: ['server', 'user:demo', 'tool', 'echo'],
  fingerprint: 'shown',
  material: { description: 'Says it back' },
};

function answer(change: Partial<RememberedAnswer> = {}): RememberedAnswer {
  return { ...request, id: 'a', answer: 'allow', scope: 'always', since: '2026-01-01T00:00:00.000Z', ...change };
}

describe('decide', () => {
  it('asks when nothing was answered before', () => {
    assert.deepEqual(decide(request, []), { kind: 'ask', why: 'new' });
  });

  it('allows what was allowed for the same content', () => {
    assert.deepEqual(decide(request, [answer()]), { kind: 'allow', answer: answer() });
  });

  it('asks again when the content changed, and hands out what was allowed before', () => {
    const before = answer({ fingerprint: 'older', material: { description: 'Harmless' } });
    assert.deepEqual(decide(request, [before]), { kind: 'ask', why: 'changed', previous: { description: 'Harmless' } });
  });

  it('lets a stored refusal survive a changed description', () => {
    const refusal = answer({ answer: 'deny', fingerprint: 'older' });
    assert.deepEqual(decide(request, [refusal]), { kind: 'deny', answer: refusal });
  });

  it('lets a refusal of the whole server beat an allowed tool', () => {
    const refusal = answer({ answer: 'deny', subject: ['server', 'user:demo'] });
    assert.deepEqual(decide(request, [answer(), refusal]), { kind: 'deny', answer: refusal });
  });

  it('takes the latest of several answers for the same content', () => {
    const newer = answer({ id: 'b', role: 'runner', since: '2026-01-02T00:00:00.000Z' });
    assert.deepEqual(decide(request, [newer, answer({ scope: 'session' })]), { kind: 'allow', answer: newer });
  });

  it('shows as changed what was allowed last, not what stands last: answers of the session come after all stored ones', () => {
    const stored = answer({ id: 'b', fingerprint: 'v2', material: { version: 2 }, since: '2026-01-02T00:00:00.000Z' });
    const session = answer({ scope: 'session', fingerprint: 'v1', material: { version: 1 } });
    assert.deepEqual(decide(request, [stored, session]), { kind: 'ask', why: 'changed', previous: { version: 2 } });
  });

  it('does not widen an allow from a server to its tools', () => {
    assert.deepEqual(decide(request, [answer({ subject: ['server', 'user:demo'] })]), { kind: 'ask', why: 'new' });
  });

  it('shares no answer between principals, actions or subjects', () => {
    const others = [
      answer({ principal: 'palette' }),
      answer({ action: 'startServer' }),
      answer({ subject: ['server', 'workspace:demo', 'tool', 'echo'] }),
    ];
    assert.deepEqual(decide(request, others), { kind: 'ask', why: 'new' });
  });
});

describe('decideWithin', () => {
  const wide: ConsentRequest = {
    principal: 'chat',
    action: 'seeEditor',
    subject: ['server', 'builtIn:editor', 'see'],
    fingerprint: 'all',
    material: { tools: ['read_file'] },
  };
  const exact: ConsentRequest = { ...request, subject: ['server', 'builtIn:editor', 'tool', 'read_file'], fingerprint: 'one' };
  const given = (to: ConsentRequest, what: RememberedAnswer['answer'], change: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
    ...answer({ ...to, answer: what }),
    ...change,
  });

  const table: readonly [why: string, answers: readonly RememberedAnswer[], verdict: string][] = [
    ['asks about the wide one when nothing was answered', [], 'ask new'],
    ['takes an allow of all', [given(wide, 'allow')], 'allow'],
    ['takes an allow of the one alone', [given(exact, 'allow')], 'allow'],
    ['lets a refusal of the one beat an allow of all', [given(wide, 'allow'), given(exact, 'deny')], 'deny'],
    ['lets a refusal of all beat an allow of the one', [given(exact, 'allow'), given(wide, 'deny')], 'deny'],
    [
      'lets a refusal of the whole server beat an allow of all',
      [given(wide, 'allow'), given(exact, 'deny', { subject: exact.subject.slice(0, 2) })],
      'deny',
    ],
    ['lets a refusal of all survive another set of tools', [given(wide, 'deny', { fingerprint: 'fewer' })], 'deny'],
    ['asks again when the set of tools is another one', [given(wide, 'allow', { fingerprint: 'fewer' })], 'ask changed'],
    ['does not ask about a change of the one', [given(exact, 'allow', { fingerprint: 'older' })], 'ask new'],
    [
      'shares nothing between principals',
      [given(wide, 'allow', { principal: 'palette' }), given(exact, 'deny', { principal: 'palette' })],
      'ask new',
    ],
  ];
  for (const [why, answers, expected] of table) {
    it(why, () => {
      const verdict = decideWithin(exact, wide, answers);
      assert.equal(verdict.kind === 'ask' ? `ask ${verdict.why}` : verdict.kind, expected);
    });
  }
});

describe('isSettledByPress', () => {
  const byHand: ConsentRequest = { ...request, principal: 'palette' };
  const press = { definition: byHand.fingerprint, arguments: 'these' };
  const settles = (to: ConsentRequest, args: string, answers: readonly RememberedAnswer[]): boolean =>
    isSettledByPress(to, args, press, decide(to, answers));

  it('is true for the definition and the arguments that were shown, where nothing was answered', () => {
    assert.equal(settles(byHand, 'these', []), true);
  });

  const others: readonly (readonly [what: string, to: ConsentRequest, args: string, answers: readonly RememberedAnswer[]])[] = [
    ['other arguments', byHand, 'those', []],
    ['another definition', { ...byHand, fingerprint: 'another' }, 'these', []],
    ['a definition that is not the allowed one any more', byHand, 'these', [answer({ principal: 'palette', fingerprint: 'older' })]],
    ['what is refused for good', byHand, 'these', [answer({ principal: 'palette', answer: 'deny', fingerprint: 'older' })]],
    [
      'what is refused with its server',
      byHand,
      'these',
      [answer({ principal: 'palette', answer: 'deny', subject: request.subject.slice(0, 2) })],
    ],
    ...(['chat', 'task', 'command', 'traffic', 'client:a', 'host'] as const).map(
      (principal) => [`a call of ${principal}`, { ...request, principal }, 'these', []] as const,
    ),
    ['something else than a call', { ...byHand, action: 'startServer' }, 'these', []],
  ];
  for (const [what, to, args, answers] of others) {
    it(`is false for ${what}`, () => {
      assert.equal(settles(to, args, answers), false);
    });
  }
});

describe('“Send again”', () => {
  const again: ConsentRequest = { ...request, principal: 'traffic' };

  it('uses no permission of Run Tool, but stays refused by what was refused when both were one', () => {
    assert.equal(decide(again, [answer({ principal: 'palette' })]).kind, 'ask');
    assert.equal(decide(again, [answer({ principal: 'palette', answer: 'deny' })]).kind, 'deny');
    assert.equal(decide({ ...request, principal: 'palette' }, [answer({ principal: 'traffic', answer: 'deny' })]).kind, 'ask');
  });
});
