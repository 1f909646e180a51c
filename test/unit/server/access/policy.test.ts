import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { describePolicyProblem } from '../../../../src/contract/settings/settingProblems.ts';
import { AccessPolicy, type PolicyVerdict } from '../../../../src/server/access/policy.ts';
import type { PolicySubject } from '../../../../src/server/access/policyRules.ts';
import { spellingsOf } from '../../../../src/server/access/policyPaths.ts';
import { RealPaths } from '../../../../src/platform/paths/realPath.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { tools } from '../../../../src/server/offer/tools/toolTable.ts';
import { policySource } from '../support/fakePolicy.ts';
import { FakeApproval } from '../support/fakePorts.ts';

const subject = (change: Partial<PolicySubject> = {}): PolicySubject => ({
  client: 'client-1',
  role: 'editor',
  transport: 'http',
  tool: { name: 'save_file', acts: true },
  paths: ['src/a.ts'],
  ...change,
});

function policyOf(rules: unknown, today = new Date(2026, 0, 15, 12, 0)): AccessPolicy {
  const source = policySource(() => rules);
  return new AccessPolicy({ source, clock: new FakeClock(), today: () => today });
}

function verdictOf(rule: object, change: Partial<PolicySubject> = {}, today?: Date): PolicyVerdict {
  const policy = policyOf([{ effect: 'deny', ...rule }], today);
  assert.equal(policy.problem, undefined);
  const verdict = policy.verdict(subject(change));
  policy.dispose();
  return verdict;
}

/** In English, as a client reads it. */
function problemOf({ problem }: AccessPolicy): string {
  return problem === undefined ? '' : describePolicyProblem(problem);
}

describe('A rule of the policy', () => {
  const cases: [rule: object, matching: Partial<PolicySubject>, other: Partial<PolicySubject>][] = [
    [{ client: 'client-1' }, {}, { client: 'client-2' }],
    [{ role: 'editor' }, {}, { role: 'runner' }],
    [{ role: 'reader' }, { role: 'reader' }, { role: undefined }],
    [{ transport: 'ws' }, { transport: 'ws' }, { transport: 'http' }],
    [{ tool: 'save_file' }, {}, { tool: { name: 'save_files', acts: true } }],
    [{ tool: '*_file' }, {}, { tool: { name: 'run_task', acts: true } }],
    [{ tool: ['run_*', 'save_*'] }, {}, { tool: undefined, resource: 'save_file' }],
    [{ server: 'git*' }, { server: ['github', 'github@user'] }, { server: ['files'] }],
    [{ server: 'files', tool: '*__write' }, { server: ['files'], tool: { name: 'files__write', acts: true } }, { server: ['files'] }],
    [{ server: '*' }, { server: ['files'] }, {}],
    [{ resource: 'terminal://*' }, { tool: undefined, resource: 'terminal://1' }, { tool: { name: 'terminal://1', acts: false } }],
    [{ resource: 'file:///**/Secret/*' }, { tool: undefined, resource: 'file:///projects/%73ecret/a/b' }, {}],
    [{ tool: 'run_*', resource: 'git://*' }, { tool: undefined, resource: 'git://changes' }, {}],
    [{ path: 'src/**' }, {}, { paths: ['test/a.ts'] }],
    [{ path: 'src/**' }, { paths: ['test/a.ts', 'SRC/b.ts'] }, { paths: [] }],
    [{ path: '**/.github/**' }, { paths: ['.github/x.yml'] }, {}],
    [{ sensitivity: 'sensitive' }, { paths: ['config/.env.local'] }, {}],
    [{ client: 'client-1', tool: 'save_file' }, {}, { client: 'client-1', tool: { name: 'open_file', acts: true } }],
  ];
  for (const [rule, matching, other] of cases) {
    it(`${JSON.stringify(rule)} holds for what it names and nothing else`, () => {
      assert.deepEqual([verdictOf(rule, matching), verdictOf(rule, other)], ['deny', undefined]);
    });
  }

  it('holds within its hours, also over midnight, until its date', () => {
    const at = (hour: number, minute = 0): Date => new Date(2026, 0, 15, hour, minute);
    const day = [8, 9, 17, 18].map((hour) => verdictOf({ hours: '09:00-18:00' }, {}, at(hour)));
    assert.deepEqual(day, [undefined, 'deny', 'deny', undefined]);
    const night = [5, 6, 21, 22].map((hour) => verdictOf({ hours: '22:00-06:00' }, {}, at(hour)));
    assert.deepEqual(night, ['deny', undefined, undefined, 'deny']);
    const ends = ['2026-01-14', '2026-01-15', at(13).toISOString(), at(12).toISOString()].map((until) => verdictOf({ until }, {}, at(12)));
    assert.deepEqual(ends, [undefined, 'deny', 'deny', undefined]);
  });
});

describe('The policy', () => {
  it('lets deny win over ask', () => {
    const policy = policyOf([{ effect: 'ask' }, { effect: 'deny', tool: 'run_*' }]);
    const verdicts = ['run_task', 'save_file'].map((name) => policy.verdict(subject({ tool: { name, acts: true } })));
    assert.deepEqual(verdicts, ['deny', 'ask']);
    policy.dispose();
  });

  it('hides what is denied whatever it is called with, and shows what depends on a path', () => {
    const policy = policyOf([
      { effect: 'deny', tool: 'run_*' },
      { effect: 'deny', tool: 'save_file', path: 'dist/**' },
      { effect: 'ask', tool: 'open_file' },
    ]);
    const hidden = ['run_task', 'save_file', 'open_file'].map((name) => policy.hides(subject({ tool: { name, acts: true }, paths: [] })));
    assert.deepEqual(hidden, [true, false, false]);
    policy.dispose();
  });

  const malformed: [value: unknown, problem: RegExp][] = [
    [{}, /^it must be an array/],
    ['deny', /^it must be an array/],
    [[{ effect: 'allow' }], /^rule 1: effect: /],
    [[{ effect: 'deny' }, { effect: 'deny', tools: 'x' }], /^rule 2: .*tools/],
    [[{ effect: 'deny', hours: '9-18' }], /^rule 1: hours: must be like/],
    [[{ effect: 'deny', until: 'tomorrow' }], /^rule 1: until: must be an ISO date/],
    [[{ effect: 'deny', tool: [] }], /^rule 1: tool: /],
    [['deny'], /^rule 1: /],
  ];
  for (const [value, problem] of malformed) {
    it(`denies everything that acts when it is ${JSON.stringify(value)}, and says what is wrong`, () => {
      const policy = policyOf(value);
      assert.match(problemOf(policy), problem);
      const acts = subject({ tool: { name: 'open_file', acts: true } });
      assert.deepEqual([policy.verdict(acts), policy.hides(acts)], ['deny', true]);
      policy.dispose();
    });
  }

  it('holds its readable rules even when another one is malformed', () => {
    const policy = policyOf([{ effect: 'deny', tool: 'read_file' }, { effect: 'no' }]);
    assert.equal(policy.verdict(subject({ tool: { name: 'read_file', acts: false } })), 'deny');
    assert.equal(policy.verdict(subject({ tool: { name: 'find_files', acts: false } })), undefined);
    policy.dispose();
  });

  it('tells of every hour that changes it', () => {
    const clock = new FakeClock();
    const start = new Date(2026, 0, 15, 8, 30).getTime();
    const today = (): Date => new Date(start + clock.now() - 1_000);
    const source = policySource(() => [{ effect: 'deny', hours: '09:00-18:00' }]);
    const policy = new AccessPolicy({ source, clock, today });
    const told: number[] = [];
    const listening = policy.onDidChange(() => told.push(today().getHours()));
    clock.advance(24 * 3_600_000);
    assert.deepEqual(told, [9, 18]);
    listening.dispose();
    policy.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('A path in a rule', () => {
  it('is met by every way to write it', () => {
    const root = mkdtempSync(join(tmpdir(), 'duplex-policy-'));
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret/a.txt'), '');
    symlinkSync(join(root, 'secret'), join(root, 'link'));
    const folders = [{ name: 'demo', path: root, uri: `file://${root}`, index: 0 }];
    const realPaths = new RealPaths();
    const source = policySource(() => [{ effect: 'deny', path: 'secret/**' }]);
    const policy = new AccessPolicy({ source, clock: new FakeClock(), spellings: (path) => spellingsOf(path, folders, realPaths) });
    const ways = [
      'secret/a.txt',
      './src/../secret/a.txt',
      `${root}/secret/a.txt`,
      `file://${root}/%73ecret/a.txt`,
      'link/a.txt',
      'secret/new.txt',
    ];
    assert.deepEqual(
      ways.filter((way) => policy.verdict(subject({ paths: [way] })) !== 'deny'),
      [],
    );
    assert.equal(policy.verdict(subject({ paths: ['secrets/a.txt'] })), undefined);
    policy.dispose();
    rmSync(root, { recursive: true });
  });
});

describe('Paths the policy hides', () => {
  const who = { client: 'client-1', role: 'reader', transport: 'http' } as const;

  it('are hidden while the rule is in force, by one and the same function', () => {
    let now = new Date(2026, 0, 15, 12, 0);
    const rules = [
      { effect: 'deny', path: 'a/*', hours: '09:00-18:00' },
      { effect: 'deny', path: 'b/*', until: '2026-01-16' },
    ];
    const source = policySource(() => rules);
    const policy = new AccessPolicy({ source, clock: new FakeClock(), today: () => now });
    const shown = (): (boolean | undefined)[] => ['a/x', 'b/x', 'c/x'].map((path) => policy.hiddenFrom(who)?.(path));
    assert.deepEqual(shown(), [true, true, false]);
    assert.equal(policy.hiddenFrom(who), policy.hiddenFrom({ ...who, client: 'client-2' }));
    now = new Date(2026, 0, 15, 19, 0);
    assert.deepEqual(shown(), [false, true, false]);
    now = new Date(2026, 0, 17, 19, 0);
    assert.equal(policy.hiddenFrom(who), undefined);
    policy.dispose();
  });

  it('are none where a rule asks, or names a tool or a resource', () => {
    for (const rule of [
      { effect: 'ask', path: 'a/*' },
      { effect: 'deny', path: 'a/*', tool: 'read_file' },
      { effect: 'deny', path: 'a/*', resource: 'file:*' },
      { effect: 'deny', client: 'client-1' },
    ]) {
      const policy = policyOf([rule]);
      assert.equal(policy.hiddenFrom(who), undefined, JSON.stringify(rule));
      policy.dispose();
    }
  });
});

describe('A change of the policy', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('applies to running sessions, and list_changed tells of it', async () => {
    const changed = new Emitter<void>();
    let rules: readonly object[] = [];
    running = await runServer({ policy: policySource(() => rules, changed.event) });
    const peer = running.peer();
    await peer.initialize();
    const stream = await peer.stream();
    const names = async (): Promise<string[]> => {
      const { result } = (await peer.request('tools/list')).json;
      return ((result as JsonObject).tools as JsonObject[]).map(({ name }) => name as string);
    };
    assert.ok((await names()).includes('get_diagnostics'));
    await peer.callTool('list_open_editors');
    assert.equal((await stream.nextMessage()).method, 'notifications/resources/list_changed'); // after the answer to the connect question
    rules = [{ effect: 'deny', tool: 'get_*' }];
    changed.fire();
    assert.equal((await stream.nextMessage()).method, 'notifications/tools/list_changed');
    assert.deepEqual(
      (await names()).filter((name) => name.startsWith('get_')),
      [],
    );
    const answer = (await peer.callTool('get_diagnostics')).json.result as JsonObject;
    assert.match(JSON.stringify(answer.content), /denied by the person's policy/);
    rules = [{ effect: 'deny', resource: ['git://*', 'prompt:*'] }];
    changed.fire();
    for (const [method, params] of [
      ['resources/read', { uri: 'git://changes' }],
      ['resources/subscribe', { uri: 'git://changes' }],
      ['prompts/get', { name: 'review_changes' }],
    ] as const) {
      const error = (await peer.request(method, params)).json.error as JsonObject;
      assert.deepEqual(error.data, { reason: 'policy' }, method);
    }
    rules = [];
    changed.fire();
    assert.ok((await names()).includes('get_diagnostics'));
  });

  it('that makes it malformed takes every acting tool from running sessions, and no other', async () => {
    const changed = new Emitter<void>();
    let rules: unknown = [];
    const approval = new FakeApproval({ kind: 'allowed', role: 'runner' });
    running = await runServer({ policy: policySource(() => rules, changed.event), approval });
    const peer = running.peer();
    await peer.initialize();
    await peer.callTool('list_open_editors');
    const listed = async (): Promise<string[]> => {
      const { result } = (await peer.request('tools/list')).json;
      return ((result as JsonObject).tools as JsonObject[]).map(({ name }) => name as string);
    };
    const acting = tools.filter(({ acts }) => acts).map(({ name }) => name);
    const all = await listed();
    assert.deepEqual(
      acting.filter((name) => !all.includes(name)),
      [],
    );
    for (const value of [{ effect: 'deny' }, null, [{ effect: 'deny', tol: 'get_*' }]]) {
      rules = value;
      changed.fire();
      assert.match(problemOf(running.server.policy), /must be an array|is not known/);
      assert.deepEqual(
        await listed(),
        all.filter((name) => !acting.includes(name)),
      );
      assert.match((await peer.callTool('open_file', { path: 'src/a.ts' })).text, /denied by the person's policy .*malformed/);
      assert.doesNotMatch((await peer.callTool('list_open_editors')).text, /denied/);
    }
  });
});
