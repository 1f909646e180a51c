import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Emitter } from '../../../src/base/events.ts';
import { ConsentGate, type Ask, type ConsentInquiry } from '../../../src/consent/consentGate.ts';
import type { ConsentRequest } from '../../../src/consent/consentModel.ts';
import type { SharedText } from '../../../src/base/sharedStorage.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import type { Choice, Question, QuestionDetail } from '../../../src/contract/questions/questions.ts';

const choices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
const detail: QuestionDetail = {
  kind: 'callTool',
  asker: { kind: 'guide' },
  server: 'demo',
  tool: 'echo',
  description: '',
  claims: [],
  arguments: '{}',
  risk: 'unknown',
};
const echo: ConsentRequest = {
  principal: 'chat',
  action: 'callTool',
  subject: ['server', 'demo', 'tool', 'echo'],
  fingerprint: 'v1',
  material: { description: 'v1' },
};

/** One file in memory, seen by every ledger that opens it, as windows see theirs. */
class MemoryFile implements SharedText {
  text: string | undefined;
  readonly aside: string[] = [];
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  async read(): Promise<string | undefined> {
    return this.text;
  }
  async modify(change: (current: string | undefined) => string): Promise<void> {
    this.text = change(this.text);
    this.#changed.fire();
  }
  async setAside(text: string): Promise<void> {
    this.aside.push(text);
  }
}

let lifetime: DisposableStore;
function useLifetime(): void {
  beforeEach(() => {
    lifetime = new DisposableStore();
  });
  afterEach(() => lifetime.dispose());
}

function openLedger(file: MemoryFile, workspace = 'here'): Ledger {
  return lifetime.add(new Ledger({ storage: file, workspace, now: () => new Date(0), log: silentLog }));
}

async function openGate(file: MemoryFile, workspace = 'here'): Promise<ConsentGate> {
  const ledger = openLedger(file, workspace);
  await ledger.load();
  return lifetime.add(new ConsentGate(ledger));
}

function inquiry(ask: Ask, change: Partial<ConsentInquiry> = {}): ConsentInquiry {
  return { request: echo, detail, choices, ask, signal: new AbortController().signal, ...change };
}

const answering =
  (choice: Choice): Ask =>
  async (question) => ({ askId: question.askId, choice });
const neverAsked: Ask = () => assert.fail('nothing should be asked');

describe('The consent gate', () => {
  useLifetime();
  const lifetimes: [choice: Choice, sameWindow: string, otherWindow: string, otherWorkspace: string][] = [
    ['allowOnce', 'asked', 'asked', 'asked'],
    ['allowSession', 'allowed', 'asked', 'asked'],
    ['allowWorkspace', 'allowed', 'allowed', 'asked'],
    ['allowAlways', 'allowed', 'allowed', 'allowed'],
    ['deny', 'asked', 'asked', 'asked'],
    ['denyAlways', 'denied', 'denied', 'denied'],
  ];
  for (const [choice, ...expected] of lifetimes) {
    it(`remembers "${choice}" exactly as long as its words say`, async () => {
      const file = new MemoryFile();
      const first = await openGate(file);
      const decision = await first.check(inquiry(answering(choice)));
      assert.equal(decision.kind, choice.startsWith('allow') ? 'allowed' : 'denied');
      const seen = [];
      for (const gate of [first, await openGate(file), await openGate(file, 'elsewhere')]) {
        const verdict = gate.verdict(echo).kind;
        seen.push({ ask: 'asked', allow: 'allowed', deny: 'denied' }[verdict]);
      }
      assert.deepEqual(seen, expected);
    });
  }

  it('asks again with the difference when the content changed', async () => {
    const file = new MemoryFile();
    const gate = await openGate(file);
    await gate.check(inquiry(answering('allowAlways')));
    const shown: Question[] = [];
    const changed = { ...echo, fingerprint: 'v2', material: { description: 'v2' } };
    await gate.check(inquiry(async (question) => (shown.push(question), { askId: question.askId, choice: 'deny' }), { request: changed }));
    assert.deepEqual(
      shown.map(({ why, differences }) => ({ why, differences })),
      [{ why: 'changed', differences: [{ field: 'description', before: 'v1', after: 'v2' }] }],
    );
  });

  it('says of a question whether this very definition was read and allowed before', async () => {
    const gate = await openGate(new MemoryFile());
    const read: (boolean | undefined)[] = [];
    const asked = (request: ConsentRequest, choice: Choice): Promise<unknown> =>
      gate.check(inquiry(async (question) => (read.push(question.isRead), { askId: question.askId, choice }), { request }));
    await asked(echo, 'deny');
    await asked(echo, 'allowOnce');
    await asked({ ...echo, principal: 'palette' }, 'allowOnce');
    await asked({ ...echo, fingerprint: 'v2' }, 'allowOnce');
    await asked({ ...echo, subject: ['server', 'another', 'tool', 'echo'] }, 'allowOnce');
    assert.deepEqual(read, [undefined, undefined, true, undefined, undefined]);
  });

  it('settles an open question when the same thing is answered elsewhere', async () => {
    const gate = await openGate(new MemoryFile());
    const questions = lifetime.add(new OpenQuestions());
    const waiting = gate.check(inquiry(questions.ask));
    await gate.check(inquiry(answering('allowSession')));
    assert.deepEqual(await waiting, { kind: 'allowed', by: 'ledger' });
    assert.deepEqual(questions.list(), []);
  });

  it('treats an answer that was not on offer as a refusal', async () => {
    const gate = await openGate(new MemoryFile());
    const decision = await gate.check(inquiry(answering('allowAlways'), { choices: ['deny', 'allowOnce'] }));
    assert.deepEqual(decision, { kind: 'denied', by: 'person' });
    assert.equal(gate.verdict(echo).kind, 'ask');
  });

  it('withdraws the question when the one who asked is gone', async () => {
    const gate = await openGate(new MemoryFile());
    const questions = lifetime.add(new OpenQuestions());
    const gone = new AbortController();
    const waiting = gate.check(inquiry(questions.ask, { signal: gone.signal }));
    assert.equal(questions.list().length, 1);
    gone.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual(questions.list(), []);
  });

  it('answers each question by its own id only, once', async () => {
    const gate = await openGate(new MemoryFile());
    const questions = lifetime.add(new OpenQuestions());
    const waiting = gate.check(inquiry(questions.ask));
    const askId = questions.list()[0]?.askId ?? '';
    assert.equal(questions.answer({ askId: 'another', choice: 'allowOnce' }), false);
    assert.equal(questions.answer({ askId, choice: 'allow' }), false, 'not on offer');
    assert.equal(questions.answer({ askId, choice: 'allowOnce' }), true);
    assert.equal(questions.answer({ askId, choice: 'deny' }), false, 'too late');
    assert.equal((await waiting).kind, 'allowed');
  });

  it('asks nothing when the answer is stored', async () => {
    const file = new MemoryFile();
    await (await openGate(file)).check(inquiry(answering('allowAlways')));
    assert.deepEqual(await (await openGate(file)).check(inquiry(neverAsked)), { kind: 'allowed', by: 'ledger' });
  });
});

describe('The ledger', () => {
  useLifetime();
  it('puts a damaged file aside, allows nothing from it and goes on', async () => {
    const file = new MemoryFile();
    file.text = '{"version":1,"answers":[';
    const gate = await openGate(file);
    assert.deepEqual(file.aside, ['{"version":1,"answers":[']);
    assert.equal(gate.verdict(echo).kind, 'ask');
  });

  it('drops a damaged entry alone', async () => {
    const file = new MemoryFile();
    await (await openGate(file)).check(inquiry(answering('allowAlways')));
    const stored = JSON.parse(file.text ?? '') as { answers: unknown[] };
    file.text = JSON.stringify({ version: 1, answers: [{ answer: 'allow', principal: 'everyone' }, ...stored.answers] });
    assert.equal((await openGate(file)).verdict(echo).kind, 'allow');
  });

  it('uses no permission that is taken back while its use is written down', async () => {
    const ledger = openLedger(new MemoryFile());
    await ledger.remember(echo, 'allow', 'workspace');
    const write = async (): Promise<void> => ledger.revoke(...ledger.answers().map(({ id }) => id));
    const gate = lifetime.add(new ConsentGate(ledger, { note: () => undefined, write, demandWritable: () => undefined }));
    const asked: string[] = [];
    const ask: Ask = async ({ why }) => {
      asked.push(why);
      return Promise.resolve({ askId: '1', choice: 'deny' });
    };
    assert.equal(await gate.checkQuietly(echo, detail), 'ask');
    await ledger.remember(echo, 'allow', 'workspace');
    const decision = await gate.check({ request: echo, detail, choices, ask, signal: new AbortController().signal });
    assert.deepEqual([decision.kind, asked], ['denied', ['new']]);
  });

  it('keeps no allow over a refusal that another window stored meanwhile, and what was allowed does not happen', async () => {
    const file = new MemoryFile();
    const [here, there] = [openLedger(file), openLedger(file)];
    const gate = lifetime.add(new ConsentGate(here));
    for (const choice of ['allowAlways', 'allowSession'] as const) {
      const ask: Ask = async ({ askId }) => {
        await there.remember(echo, 'deny', 'always');
        await here.load();
        return { askId, choice };
      };
      const decision = await gate.check({ request: echo, detail, choices, ask, signal: new AbortController().signal });
      assert.deepEqual([decision, gate.verdict(echo).kind], [{ kind: 'denied', by: 'ledger' }, 'deny'], choice);
      await there.revoke(...there.answers().map(({ id }) => id));
      await here.revoke(...here.answers().map(({ id }) => id));
    }
    await there.remember(echo, 'deny', 'always');
    await here.remember(echo, 'allow', 'always');
    assert.deepEqual([gate.verdict(echo).kind, here.answers().map(({ answer }) => answer)], ['deny', ['deny']]);
  });

  it('lets a revocation hold in every window', async () => {
    const file = new MemoryFile();
    const ledger = openLedger(file);
    const here = lifetime.add(new ConsentGate(ledger));
    await here.check(inquiry(answering('allowAlways')));
    const elsewhere = await openGate(file);
    await ledger.revoke(ledger.answers()[0]?.id ?? '');
    assert.deepEqual([here.verdict(echo).kind, elsewhere.verdict(echo).kind], ['ask', 'ask']);
  });

  it('grants nothing that could not be written', async () => {
    const file = new MemoryFile();
    const ledger = openLedger(file);
    file.modify = async (change) => {
      change(file.text);
      throw new Error('disk full');
    };
    await assert.rejects(ledger.remember(echo, 'allow', 'always'), /disk full/);
    assert.deepEqual(ledger.answers(), []);
  });

  it('ends a permission at once that is revoked while nothing can be written, and writes that once there is room', async () => {
    const file = new MemoryFile();
    const clock = new FakeClock();
    const ledger = lifetime.add(new Ledger({ storage: file, workspace: 'here', now: () => new Date(0), log: silentLog, clock }));
    await ledger.remember(echo, 'allow', 'always');
    await ledger.remember({ ...echo, principal: 'palette' }, 'deny', 'always');
    await ledger.remember({ ...echo, principal: 'palette' }, 'allow', 'session');
    const modify = file.modify.bind(file);
    file.modify = () => Promise.reject(new Error('disk full'));
    await assert.rejects(ledger.revoke(...ledger.answers().map(({ id }) => id)), /disk full/);
    await ledger.load();
    const left = (): readonly string[] => ledger.answers().map(({ principal, answer }) => `${principal} ${answer}`);
    assert.deepEqual(left(), ['palette deny']);
    assert.match(file.text ?? '', /"chat"/);
    file.modify = modify;
    clock.advance(5_000);
    while (file.text?.includes('"chat"') === true) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(left(), ['palette deny']);
  });

  it('keeps entries it cannot read: one of them may be a refusal of a newer version', async () => {
    const file = new MemoryFile();
    const newer = { answer: 'deny', principal: 'robot', subject: ['all'] };
    file.text = JSON.stringify({ version: 1, answers: [newer] });
    await (await openGate(file)).check(inquiry(answering('allowAlways')));
    assert.deepEqual((JSON.parse(file.text) as { answers: unknown[] }).answers[0], newer);
  });

  it('lists what holds in other workspaces too, and says which holds here', async () => {
    const file = new MemoryFile();
    await openLedger(file, 'there').remember(echo, 'allow', 'workspace');
    const here = openLedger(file);
    await here.load();
    await here.remember({ ...echo, principal: 'palette' }, 'allow', 'session');
    assert.deepEqual(
      here.everywhere().map((answer) => [answer.principal, answer.scope, here.holdsHere(answer)]),
      [
        ['chat', 'workspace', false],
        ['palette', 'session', true],
      ],
    );
    await here.revoke(here.everywhere()[0]?.id ?? '');
    assert.equal(here.everywhere().length, 1);
  });

  it('keeps when an answer was last used, in the file at most every ten minutes', async () => {
    const file = new MemoryFile();
    let time = 0;
    const ledger = lifetime.add(new Ledger({ storage: file, workspace: 'here', now: () => new Date(time), log: silentLog }));
    const gate = lifetime.add(new ConsentGate(ledger));
    const usedAt = (): (string | undefined)[] =>
      (JSON.parse(file.text ?? '') as { answers: { lastUsed?: string }[] }).answers.map(({ lastUsed }) => lastUsed);
    await gate.check(inquiry(answering('allowAlways')));
    assert.deepEqual(usedAt(), [undefined]);
    const uses: [at: number, seen: string][] = [
      [1_000, '1970-01-01T00:00:01.000Z'],
      [500_000, '1970-01-01T00:00:01.000Z'],
      [700_000, '1970-01-01T00:11:40.000Z'],
    ];
    for (const [at, seen] of uses) {
      time = at;
      await gate.check(inquiry(answering('deny')));
      assert.deepEqual(usedAt(), [seen]);
    }
  });
});

describe('The record of a question', () => {
  useLifetime();
  const start: ConsentRequest = { ...echo, principal: 'host', action: 'startServer', subject: ['server', 'demo'] };
  for (const [how, end, written] of [
    [
      'the person closed',
      (questions: OpenQuestions, askId: string) => questions.dismiss([askId]),
      { decidedBy: 'person', outcome: 'denied' },
    ],
    ['went with its window', (questions: OpenQuestions) => questions.dispose(), { decidedBy: 'nobody', outcome: 'cancelled' }],
  ] as const) {
    it(`that ${how} says ${written.outcome} by ${written.decidedBy}`, async () => {
      const records: unknown[] = [];
      const keep = ({ decidedBy, outcome }: { decidedBy: string; outcome: string }): void => void records.push({ decidedBy, outcome });
      const gate = lifetime.add(
        new ConsentGate(openLedger(new MemoryFile()), {
          demandWritable: () => undefined,
          note: keep,
          write: async (record) => keep(record),
        }),
      );
      const questions = lifetime.add(new OpenQuestions());
      const { signal } = new AbortController();
      const checked = gate.check({ request: start, detail, choices: ['deny', 'allow'], ask: questions.ask, signal }).catch(() => undefined);
      end(questions, questions.list()[0]?.askId ?? '');
      await checked;
      assert.deepEqual(records, [written]);
    });
  }
});
