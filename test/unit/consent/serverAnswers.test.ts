import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog } from '../../../src/base/log.ts';
import { TextInMemory } from '../../../src/base/sharedStorage.ts';
import type { AuditRecord } from '../../../src/consent/audit/auditLog.ts';
import { ConsentGate, type Ask, type ConsentInquiry, type Decision } from '../../../src/consent/consentGate.ts';
import type { ConsentRequest } from '../../../src/consent/consentModel.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import type { Choice, QuestionDetail } from '../../../src/contract/questions/questions.ts';

const choices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
const names = ['echo', 'roll', 'send'] as const;
const server: ConsentRequest = { ...tool('echo'), subject: ['server', 'demo'], fingerprint: 'server', material: {} };

function tool(name: string, version = 'v1'): ConsentRequest {
  return {
    principal: 'chat',
    action: 'callTool',
    subject: ['server', 'demo', 'tool', name],
    fingerprint: `${name} ${version}`,
    material: { description: version },
  };
}

function detailOf(name: string): QuestionDetail {
  return {
    kind: 'callTool',
    asker: { kind: 'guide' },
    server: 'demo',
    tool: name,
    description: '',
    claims: [],
    arguments: '{}',
    risk: 'unknown',
  };
}

/** A window: its ledger on the shared file, its gate and the two places where questions stand. */
class Window {
  readonly #lifetime = new DisposableStore();
  readonly recorded: AuditRecord[] = [];
  readonly ledger: Ledger;
  readonly gate: ConsentGate;
  readonly chat = this.#lifetime.add(new OpenQuestions());
  readonly panel = this.#lifetime.add(new OpenQuestions());

  constructor(file: TextInMemory) {
    this.ledger = this.#lifetime.add(new Ledger({ storage: file, workspace: 'here', now: () => new Date(0), log: silentLog }));
    const record = (line: AuditRecord): void => void this.recorded.push(line);
    this.gate = this.#lifetime.add(
      new ConsentGate(this.ledger, { demandWritable: () => undefined, note: record, write: async (line) => record(line) }),
    );
  }

  check(name: string, ask: Ask, change: Partial<ConsentInquiry> = {}): Promise<Decision> {
    const others = names.filter((other) => other !== name).map((other) => tool(other));
    const { signal } = new AbortController();
    return this.gate.check({ request: tool(name), allTools: { others, server }, detail: detailOf(name), choices, ask, signal, ...change });
  }

  verdicts(): readonly string[] {
    return names.map((name) => this.gate.verdict(tool(name)).kind);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

const forAll =
  (choice: Choice): Ask =>
  async ({ askId }) => ({ askId, choice, allTools: true });

describe('An answer for all tools of a server', () => {
  let file: TextInMemory;
  let here: Window;
  let there: Window;
  beforeEach(() => {
    file = new TextInMemory();
    here = new Window(file);
    there = new Window(file);
  });
  afterEach(() => {
    here.dispose();
    there.dispose();
  });

  const lifetimes: readonly [choice: Choice, here: string, there: string][] = [
    ['deny', 'ask', 'ask'],
    ['denyAlways', 'deny', 'deny'],
    ['allowOnce', 'ask', 'ask'],
    ['allowSession', 'allow', 'ask'],
    ['allowWorkspace', 'allow', 'allow'],
    ['allowAlways', 'allow', 'allow'],
  ];
  for (const [choice, inThisWindow, inAnother] of lifetimes) {
    it(`with "${choice}" covers each of them as long as its words say`, async () => {
      assert.equal((await here.check('echo', forAll(choice))).kind, choice.startsWith('allow') ? 'allowed' : 'denied');
      assert.deepEqual([here.verdicts(), there.verdicts()], [Array(3).fill(inThisWindow), Array(3).fill(inAnother)]);
    });
  }

  it('to allow holds for no tool that came later or is another one now; to refuse holds for those too', async () => {
    await here.check('echo', forAll('allowAlways'));
    assert.deepEqual(
      [tool('new'), tool('roll', 'v2')].map((each) => here.gate.verdict(each).kind),
      ['ask', 'ask'],
    );
    await here.check('new', forAll('denyAlways'), { request: tool('new') });
    assert.deepEqual(
      [...names.map((name) => tool(name)), tool('new'), tool('roll', 'v2'), tool('newer')].map((each) => here.gate.verdict(each).kind),
      Array(6).fill('deny'),
    );
  });

  it('is one write: all of it is kept or nothing', async () => {
    let writes = 0;
    const modify = file.modify.bind(file);
    file.modify = (change) => {
      writes += 1;
      return modify(change);
    };
    await here.check('echo', forAll('allowAlways'));
    assert.deepEqual([writes, here.ledger.answers().length], [1, 3]);
    file.modify = () => Promise.reject(new Error('disk full'));
    await there.check('new', forAll('allowWorkspace'), { request: tool('new') });
    const stored = there.ledger.everywhere().filter(({ scope }) => scope !== 'session');
    assert.deepEqual([stored.length, there.gate.verdict(tool('new')).kind], [3, 'allow'], 'what cannot be stored holds here alone');
  });

  it('leaves a refusal of one of them standing, also one that another window has just stored', async () => {
    const answer: Ask = async ({ askId }) => {
      await there.ledger.remember(tool('send'), 'deny', 'always');
      return { askId, choice: 'allowAlways', allTools: true };
    };
    await here.check('echo', answer);
    assert.deepEqual([here.verdicts(), there.verdicts()], [Array.of('allow', 'allow', 'deny'), Array.of('allow', 'allow', 'deny')]);
  });

  it('that was not on offer covers the one tool alone', async () => {
    await here.check('echo', forAll('allowAlways'), { allTools: undefined });
    assert.deepEqual(here.verdicts(), ['allow', 'ask', 'ask']);
  });

  it('is revoked at once, in every window, with one write', async () => {
    await here.check('echo', forAll('allowAlways'));
    const groups = new Set(there.ledger.answers().map(({ group }) => group));
    assert.deepEqual([groups.size, groups.has(undefined)], [1, false]);
    let writes = 0;
    const modify = file.modify.bind(file);
    file.modify = (change) => {
      writes += 1;
      return modify(change);
    };
    await there.ledger.revoke(...there.ledger.answers().map(({ id }) => id));
    assert.deepEqual([writes, here.verdicts(), there.verdicts()], [1, Array(3).fill('ask'), Array(3).fill('ask')]);
  });

  it('has a line of its own in the record, with the names of the tools and not in place of the call’s line', async () => {
    await here.check('echo', forAll('allowSession'));
    await here.check('new', forAll('denyAlways'), { request: tool('new'), detail: detailOf('new') });
    assert.deepEqual(
      here.recorded.map(({ peer, action, subject, outcome, arguments: args }) => [peer, action, subject, outcome, Object.keys(args ?? {})]),
      [
        ['demo', 'callTool', 'echo', 'allowed', []],
        ['demo', 'callAllTools', '', 'allowed', ['echo', 'roll', 'send']],
        ['demo', 'callTool', 'new', 'denied', []],
        ['demo', 'callAllTools', '', 'denied', ['new', 'echo', 'roll', 'send']],
      ],
    );
  });

  it('counts as read for all of them: their descriptions were in view', async () => {
    const read: (boolean | undefined)[] = [];
    await here.check('echo', forAll('allowSession'));
    await here.ledger.revoke(...here.ledger.answers().map(({ id }) => id));
    await here.check('send', async ({ askId, isRead }) => (read.push(isRead), { askId, choice: 'deny' }));
    assert.deepEqual(read, [true]);
  });

  const settling: readonly [choice: Choice, inOtherWindow: number, outcome: string][] = [
    ['allowSession', 1, 'allowed'],
    ['allowWorkspace', 0, 'allowed'],
    ['allowAlways', 0, 'allowed'],
    ['denyAlways', 0, 'denied'],
  ];
  for (const [choice, leftOpen, outcome] of settling) {
    it(`with "${choice}" settles the waiting calls that it covers, in the chat, in the panel and in the other window`, async () => {
      const waiting = [
        here.check('roll', here.chat.ask),
        here.check('send', here.panel.ask),
        here.check('new', here.chat.ask, { request: tool('new') }),
      ];
      const elsewhere = there.check('send', there.chat.ask);
      const asking = here.check('echo', here.chat.ask);
      const askId = here.chat.list().at(-1)?.askId ?? '';
      here.chat.answer({ askId, choice, allTools: true });
      assert.equal((await asking).kind, outcome);
      assert.deepEqual(await Promise.all(waiting.slice(0, 2)), Array(2).fill({ kind: outcome, by: 'ledger' }));
      const isForAll = choice === 'denyAlways';
      assert.deepEqual([here.chat.list().length, here.panel.list().length, there.chat.list().length], [isForAll ? 0 : 1, 0, leftOpen]);
      if (leftOpen === 0) {
        assert.deepEqual(await elsewhere, { kind: outcome, by: 'ledger' });
      } else {
        there.chat.answer({ askId: there.chat.list()[0]?.askId ?? '', choice: 'deny' });
        await elsewhere;
      }
      here.chat.list().forEach(({ askId: left }) => here.chat.answer({ askId: left, choice: 'deny' }));
      assert.equal((await waiting[2])?.kind, 'denied');
    });
  }
});

describe('An answer for one call', () => {
  for (const choice of ['allowOnce', 'deny'] as const) {
    it(`with "${choice}" leaves the other waiting calls of the same tool open`, async () => {
      const window = new Window(new TextInMemory());
      const first = window.check('echo', window.chat.ask);
      const second = window.check('echo', window.chat.ask);
      const [one, two] = window.chat.list();
      window.chat.answer({ askId: one?.askId ?? '', choice });
      await first;
      assert.deepEqual(
        window.chat.list().map(({ askId }) => askId),
        [two?.askId],
      );
      window.chat.answer({ askId: two?.askId ?? '', choice: 'deny' });
      await second;
      window.dispose();
    });
  }
});
