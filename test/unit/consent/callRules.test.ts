import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SharedText } from '../../../src/base/sharedStorage.ts';
import type { CallFacts, CallRule, OfferedRule } from '../../../src/consent/callRules.ts';
import { ConsentGate, type Ask, type ConsentInquiry } from '../../../src/consent/consentGate.ts';
import { decide, type ConsentRequest, type RememberedAnswer } from '../../../src/consent/consentModel.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import type { PersonAnswer, QuestionDetail } from '../../../src/contract/questions/questions.ts';

const read: ConsentRequest = {
  principal: 'chat',
  action: 'callTool',
  subject: ['server', 'files', 'tool', 'read'],
  fingerprint: 'v1',
  material: { description: 'v1' },
};
const exact: CallRule = { kind: 'exactArguments', arguments: '{"path":"/w/a"}' };
const inside: CallRule = { kind: 'pathInside', folder: '/w', realFolder: '/real/w' };
const facts = (args: string, ...folders: readonly (readonly [string, string])[]): CallFacts => ({
  arguments: args,
  folders: folders.map(([written, real]) => ({ written, real })),
});
const given = (rule: CallRule, more: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
  id: JSON.stringify(rule),
  ...read,
  answer: 'allowWhen',
  rule,
  scope: 'session',
  since: '2026-01-01T00:00:00Z',
  ...more,
});

describe('decide(), with rules', () => {
  const verdictOn = (call: CallFacts | undefined, ...answers: readonly RememberedAnswer[]): string => {
    const verdict = decide({ ...read, call }, answers);
    return verdict.kind === 'ask' ? `ask: ${verdict.why}` : verdict.kind;
  };

  it('allows the arguments that a rule names, and no other text of them', () => {
    const others = ['{"path":"/w/A"}', '{"path":"/w/a","x":1}', '{"path":"/w/a" }', '{"path":["/w/a"]}', '{}'];
    assert.equal(verdictOn(facts('{"path":"/w/a"}'), given(exact)), 'allow');
    assert.deepEqual(
      others.map((each) => verdictOn(facts(each), given(exact))),
      others.map(() => 'ask: new'),
    );
  });

  it('allows what is inside a folder only while that folder leads where it led', () => {
    const seen = [
      facts('{}', ['/w/sub', '/real/w/sub'], ['/w', '/real/w']),
      facts('{}', ['/w', '/elsewhere']),
      facts('{}', ['/real/w', '/real/w']),
      facts('{}', ['/w2', '/real/w']),
      facts('{}'),
    ].map((call) => verdictOn(call, given(inside)));
    assert.deepEqual(seen, ['allow', 'ask: new', 'ask: new', 'ask: new', 'ask: new']);
  });

  it('lets no rule count where nothing is known of the call, for another definition, or for another principal, tool or action', () => {
    const call = facts(exact.arguments, ['/w', '/real/w']);
    assert.equal(verdictOn(undefined, given(exact), given(inside)), 'ask: new');
    assert.equal(verdictOn(call, given(exact, { fingerprint: 'v0' })), 'ask: changed');
    const others: readonly Partial<RememberedAnswer>[] = [
      { principal: 'palette' },
      { action: 'sendContent' },
      { subject: ['server', 'files', 'tool', 'write'] },
      { subject: ['server', 'files'] },
    ];
    assert.deepEqual(
      others.map((other) => verdictOn(call, given(exact, other), given(inside, other))),
      others.map(() => 'ask: new'),
    );
  });

  it('lets a refusal beat every rule', () => {
    const refusal = given(exact, { answer: 'deny', rule: undefined, subject: ['server', 'files'] });
    assert.equal(verdictOn(facts(exact.arguments, ['/w', '/real/w']), given(exact), given(inside), refusal), 'deny');
  });
});

class MemoryFile implements SharedText {
  text: string | undefined;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  async read(): Promise<string | undefined> {
    return this.text;
  }
  async modify(change: (current: string | undefined) => string): Promise<void> {
    this.text = change(this.text);
  }
  async setAside(): Promise<void> {
    assert.fail('nothing is damaged');
  }
}

describe('An answer "Allow when…"', () => {
  let lifetime: DisposableStore;
  let file: MemoryFile;
  let call: CallFacts;
  beforeEach(() => {
    lifetime = new DisposableStore();
    file = new MemoryFile();
    call = facts('{"path":"/w/a"}', ['/w', '/real/w']);
  });
  afterEach(() => lifetime.dispose());

  const detail: QuestionDetail = { kind: 'roots', server: 'files', folders: [] };
  const offered: readonly OfferedRule[] = [
    { rule: exact, scopes: ['session'] },
    { rule: inside, scopes: ['session', 'workspace'] },
  ];

  async function openWindow(workspace = 'here'): Promise<{ gate: ConsentGate; ledger: Ledger }> {
    const ledger = lifetime.add(new Ledger({ storage: file, workspace, now: () => new Date(0), log: silentLog }));
    await ledger.load();
    return { gate: lifetime.add(new ConsentGate(ledger)), ledger };
  }

  function inquiry(answer: Omit<PersonAnswer, 'askId'> | undefined, more: Partial<ConsentInquiry> = {}): ConsentInquiry {
    const ask: Ask = async ({ askId }) => (answer === undefined ? assert.fail('nothing should be asked') : { askId, ...answer });
    const ruled = { facts: () => call, offered };
    return {
      request: read,
      ruled,
      detail,
      choices: ['deny', 'allowOnce', 'allowWhen'],
      ask,
      signal: new AbortController().signal,
      ...more,
    };
  }

  const insideWorkspace = { choice: 'allowWhen', rule: { offer: 1, scope: 'workspace' } } as const;

  it('allows this call, is kept where it was given, and settles the calls that it covers', async () => {
    const here = await openWindow();
    assert.equal((await here.gate.check(inquiry(insideWorkspace))).kind, 'allowed');
    const windows = [here, await openWindow()];
    call = facts('{"path":"/w/b"}', ['/w', '/real/w']);
    for (const { gate } of windows) {
      assert.deepEqual(await gate.check(inquiry(undefined)), { kind: 'allowed', by: 'ledger' });
    }
    const elsewhere = await openWindow('elsewhere');
    assert.deepEqual(await elsewhere.gate.check(inquiry({ choice: 'deny' })), { kind: 'denied', by: 'person' });
    call = facts('{"path":"/w/b"}', ['/w', '/moved']);
    assert.deepEqual(await here.gate.check(inquiry({ choice: 'deny' })), { kind: 'denied', by: 'person' });
  });

  it('for this session is written nowhere and holds in no other window', async () => {
    const here = await openWindow();
    await here.gate.check(inquiry({ choice: 'allowWhen', rule: { offer: 0, scope: 'session' } }));
    assert.deepEqual(await here.gate.check(inquiry(undefined)), { kind: 'allowed', by: 'ledger' });
    assert.equal(file.text, undefined);
    const other = await openWindow();
    assert.equal((await other.gate.check(inquiry({ choice: 'deny' }))).kind, 'denied');
  });

  it('is nobody’s when the rule or its scope was not offered, or the arguments were changed', async () => {
    const { gate, ledger } = await openWindow();
    const wrong: readonly Omit<PersonAnswer, 'askId'>[] = [
      { choice: 'allowWhen' },
      { choice: 'allowWhen', rule: { offer: 2, scope: 'session' } },
      { choice: 'allowWhen', rule: { offer: 0, scope: 'workspace' } },
      { choice: 'allowWhen', rule: { offer: 1, scope: 'session' }, arguments: '{"path":"/w/c"}' },
    ];
    for (const answer of wrong) {
      assert.deepEqual(await gate.check(inquiry(answer)), { kind: 'denied', by: 'person' });
    }
    assert.deepEqual(await gate.check(inquiry(insideWorkspace, { choices: ['deny', 'allowOnce'] })), { kind: 'denied', by: 'person' });
    assert.deepEqual(ledger.everywhere(), []);
  });

  it('asks about a call whose path leads elsewhere while the record is written', async () => {
    const ledger = lifetime.add(new Ledger({ storage: file, workspace: 'here', now: () => new Date(0), log: silentLog }));
    const write = async (): Promise<void> => void (call = facts('{"path":"/w/b"}', ['/w', '/moved']));
    await ledger.allowWhen(read, inside, 'session');
    const gate = lifetime.add(new ConsentGate(ledger, { note: () => undefined, write, demandWritable: () => undefined }));
    assert.deepEqual(await gate.check(inquiry({ choice: 'deny' })), { kind: 'denied', by: 'person' });
  });

  it('stands beside other rules of the tool and an allow for all calls; the same rule takes its own place', async () => {
    const { ledger } = await openWindow();
    await ledger.allowWhen(read, exact, 'workspace');
    await ledger.allowWhen(read, inside, 'workspace');
    await ledger.remember(read, 'allow', 'workspace');
    await ledger.allowWhen(read, inside, 'workspace');
    assert.deepEqual(
      ledger.everywhere().map(({ answer, rule }) => [answer, rule?.kind]),
      [
        ['allowWhen', 'exactArguments'],
        ['allow', undefined],
        ['allowWhen', 'pathInside'],
      ],
    );
    await ledger.revoke(...ledger.everywhere().flatMap(({ id, answer }) => (answer === 'allow' ? id : [])));
    assert.equal(decide({ ...read, call }, ledger.answers()).kind, 'allow');
    await ledger.revoke(...ledger.everywhere().map(({ id }) => id));
    assert.equal(decide({ ...read, call }, ledger.answers()).kind, 'ask');
  });

  it('is no allow to a version that knows no rules, and none whose rule is lost or unknown', async () => {
    const { ledger } = await openWindow();
    await ledger.allowWhen(read, inside, 'workspace');
    const written = JSON.parse(file.text ?? '') as { version: 1; answers: [RememberedAnswer] };
    const [entry] = written.answers;
    assert.equal(entry.answer, 'allowWhen', 'version 0.1.0 takes “allow” and “deny” only, and leaves all others as they are');
    const broken: readonly object[] = [
      { ...entry, rule: undefined },
      { ...entry, answer: 'allow' },
      { ...entry, rule: { ...inside, kind: 'anywhere' } },
      { ...entry, rule: { ...inside, onlyOn: 'Mondays' } },
      { ...entry, rule: { kind: 'pathInside', folder: '/w' } },
    ];
    file.text = JSON.stringify({ version: 1, answers: broken });
    await ledger.load();
    assert.deepEqual(ledger.everywhere(), []);
  });
});
