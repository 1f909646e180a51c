import assert from 'node:assert/strict';
import { callRequest } from '../../src/host/tools/callRequest.ts';
import { changeNote } from '../../src/webview/question/details/questionTexts.ts';
import { shownDifferences } from '../../src/webview/question/details/sendContentTexts.ts';
import { createTestHost, scriptedServer, textOf, type TestHost } from '../unit/host/support.ts';

const signal = new AbortController().signal;

describe('Consent to servers and tools', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  it('to start is void for a server whose command, arguments, folder or environment a commit changed', async () => {
    const approved = { command: 'node', args: [scriptedServer] };
    await host.configure({ scripted: approved });
    await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    const changes: readonly (readonly [object, string])[] = [
      [{ ...approved, command: process.execPath }, 'command'],
      [{ ...approved, args: [scriptedServer, '--evil'] }, 'args'],
      [{ ...approved, cwd: '/' }, 'cwd'],
      [{ ...approved, env: { NODE_OPTIONS: '--import=./evil.mjs' } }, 'env.NODE_OPTIONS'],
    ];
    for (const [definition, field] of changes) {
      await host.configure({ scripted: definition });
      await host.registry.startApproved();
      assert.deepEqual(host.server('scripted').state, { kind: 'stopped', reason: 'needsConsent' });
      host.answer = () => 'deny';
      const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
      assert.deepEqual(state, { kind: 'stopped', reason: 'needsConsent' });
      const question = host.asked.at(-1);
      assert.deepEqual([question?.why, question?.differences.map((difference) => difference.field)], ['changed', [field]]);
    }
  });

  it('to a tool is void when the tool describes itself differently, and the difference is shown', async () => {
    await host.startScripted();
    host.answer = () => 'allowAlways';
    await host.call('echo', { text: 'one' });
    await host.call('echo', { text: 'two' });
    assert.equal(host.asked.length, 2, 'one question for the start, one for the tool');
    await host.call('change_echo', { to: 'Sends\u200B it elsewhere.' });
    await host.until(() => host.server('scripted').tools[0]?.description.startsWith('Sends') === true, 'the change');
    host.answer = () => 'deny';
    assert.deepEqual(await host.call('echo', { text: 'three' }), { kind: 'denied', by: 'person' });
    const question = host.asked.at(-1);
    assert.deepEqual(
      [question?.why, question?.differences],
      ['changed', [{ field: 'description', before: 'Gives back the text it is given.', after: 'Sends⟨U+200B⟩ it elsewhere.' }]],
    );
  });

  it('to a tool that changes while the question is open does not count for what it became', async () => {
    await host.startScripted();
    let hasStarted = false;
    const outcome = await host.call(
      'echo',
      { text: 'x' },
      {
        onStart: () => (hasStarted = true),
        ask: async (question) => {
          await host.call('change_echo', { to: 'Another tool.' });
          await host.until(() => host.server('scripted').tools[0]?.description === 'Another tool.', 'the change');
          return { askId: question.askId, choice: 'allowAlways' };
        },
      },
    );
    assert.deepEqual([outcome.kind === 'failed' && outcome.error.code, hasStarted], ['host.toolChanged', false]);
  });

  describe('to a task', () => {
    const task = { principal: 'task', asker: { kind: 'task', name: 'deploy' } } as const;
    beforeEach(() => host.startScripted());

    it('covers no arguments that its repository writes later, and the difference is shown', async () => {
      host.answer = () => 'allowSession';
      assert.equal(textOf(await host.call('echo', { text: 'one' }, task)), 'one');
      assert.equal(textOf(await host.call('echo', { text: 'one' }, task)), 'one');
      assert.equal(host.asked.length, 2, 'one question for the start, one for the task');
      host.answer = () => 'deny';
      assert.deepEqual(await host.call('echo', { text: 'two\u200B' }, task), { kind: 'denied', by: 'person' });
      const question = host.asked.at(-1);
      assert.deepEqual(
        [question?.why, question?.differences],
        ['changed', [{ field: 'arguments.text', before: 'one', after: 'two⟨U+200B⟩' }]],
      );
    });

    it('is never kept in a file, nor given for other tools, whose arguments nobody knows', async () => {
      for (const choice of ['allowWorkspace', 'allowAlways'] as const) {
        host.answer = () => choice;
        assert.equal((await host.call('echo', { text: 'one' }, task)).kind, 'denied');
      }
      host.answer = () => ({ choice: 'allowSession', allTools: true });
      await host.call('structured', {}, task);
      const question = host.asked.at(-1);
      assert.deepEqual(question?.choices, ['deny', 'denyAlways', 'allowOnce', 'allowSession']);
      assert.equal(question.detail.kind === 'callTool' && question.detail.otherTools, undefined);
      host.answer = () => 'deny';
      assert.equal((await host.call('echo', { text: 'one' }, task)).kind, 'denied');
    });

    it('holds for the arguments as the person left them, not as the file has them', async () => {
      host.answer = () => ({ choice: 'allowSession', arguments: '{"text":"safe"}' });
      assert.equal(textOf(await host.call('echo', { text: 'evil' }, task)), 'safe');
      host.answer = () => 'deny';
      assert.equal((await host.call('echo', { text: 'evil' }, task)).kind, 'denied');
      assert.deepEqual(host.asked.at(-1)?.differences, [{ field: 'arguments.text', before: 'safe', after: 'evil' }]);
      assert.equal(textOf(await host.call('echo', { text: 'safe' }, task)), 'safe');
    });

    it('is one for each task, and a refusal is one for all of them, without their arguments', async () => {
      const other = { ...task, asker: { kind: 'task', name: 'other' } } as const;
      host.answer = () => 'allowSession';
      await host.call('echo', { text: 'one' }, task);
      await host.call('echo', { text: 'two' }, other);
      assert.equal(textOf(await host.call('echo', { text: 'one' }, task)), 'one');
      assert.equal(host.asked.length, 3, 'the start and each task once');
      host.answer = () => 'denyAlways';
      await host.call('echo', { text: 'three' }, task);
      assert.deepEqual(await host.call('echo', { text: 'two' }, other), { kind: 'denied', by: 'ledger' });
      const refusal = host.ledger.answers().find(({ answer }) => answer === 'deny');
      assert.ok(!JSON.stringify(refusal).includes('three'));
    });
  });

  it('to all tools of a server covers none that came or became another one while the question was open', async () => {
    await host.startScripted();
    await host.call(
      'structured',
      {},
      {
        ask: async ({ askId }) => {
          await host.call('change_echo', { to: 'Sends it elsewhere.' }, { principal: 'palette' });
          await host.call('change_echo', { add: 'newcomer' }, { principal: 'palette' });
          await host.until(() => host.server('scripted').tools.some(({ name }) => name === 'newcomer'), 'the new tool');
          return { askId, choice: 'allowAlways', allTools: true };
        },
      },
    );
    host.answer = () => 'deny';
    assert.equal((await host.call('newcomer')).kind, 'denied');
    assert.equal((await host.call('echo', { text: 'x' })).kind, 'denied');
    assert.equal(host.asked.at(-1)?.why, 'changed');
    assert.equal((await host.call('refuse')).kind, 'result', 'what the question showed is allowed');
  });

  it('stored as a refusal beats every allow, also after the tool changed', async () => {
    const server = await host.startScripted();
    const echo = server.tools[0];
    assert.ok(echo);
    host.answer = () => 'allowAlways';
    await host.call('echo', { text: 'allowed' });
    const request = callRequest('chat', { serverId: server.id, server: server.label, identity: '', tool: echo, risk: 'unknown' });
    await host.ledger.remember({ ...request, subject: ['server', server.id] }, 'deny', 'workspace');
    assert.deepEqual(await host.call('echo', { text: 'no' }), { kind: 'denied', by: 'ledger' });
    await host.call('change_echo', {}, { principal: 'palette' });
    await host.until(() => host.server('scripted').tools[0]?.description !== echo.description, 'the change');
    assert.deepEqual(await host.call('echo', { text: 'no' }), { kind: 'denied', by: 'ledger' });
  });

  it('is asked for a tool that calls itself read-only as for any other', async () => {
    await host.startScripted();
    await host.call('echo', { text: 'x' });
    const [, question] = host.asked;
    assert.ok(question?.detail.kind === 'callTool');
    assert.deepEqual([question.detail.claims, question.detail.risk], [['readOnly', 'notDestructive'], 'unknown']);
  });

  it('to one server’s tool is no consent to another server’s tool of the same name', async () => {
    const definition = { command: 'node', args: [scriptedServer] };
    await host.configure({ scripted: definition, double: definition });
    await Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
    host.answer = () => 'allowAlways';
    assert.equal(textOf(await host.call('echo', { text: 'mine' })), 'mine');
    host.answer = () => 'deny';
    assert.equal((await host.call('echo', { text: 'theirs' }, { serverId: host.server('double').id })).kind, 'denied');
    assert.equal((await host.call('echo', { text: 'other surface' }, { principal: 'palette' })).kind, 'denied');
  });

  it('to a server’s tool is no consent to the same tool of another program under its name', async () => {
    await host.startScripted();
    host.answer = () => 'allowAlways';
    assert.equal(textOf(await host.call('echo', { text: 'mine' })), 'mine');
    await host.configure({ scripted: { command: 'node', args: [scriptedServer, '--other'] } });
    host.answer = () => 'allow';
    await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    host.answer = () => 'deny';
    assert.equal((await host.call('echo', { text: 'theirs' })).kind, 'denied');
    const asked = host.asked.at(-1);
    assert.deepEqual([asked?.why, asked?.differences], ['changed', [{ field: 'server' }]]);
    assert.equal(asked && changeNote(asked), 'The definition of the server has changed since you last allowed it.');
    assert.deepEqual(asked && shownDifferences(asked), []);
  });

  it('is the one gate of every way to start', async () => {
    host.answer = () => 'deny';
    const { id } = await host.startScripted();
    const options = { ask: host.ask, signal };
    const states = [await host.registry.start(id, options), await host.registry.restart(id, options)];
    await host.registry.startApproved();
    await host.configure({ scripted: { command: 'node', args: [scriptedServer, 'normal'] } });
    await host.registry.startApproved();
    assert.deepEqual([...states, host.server('scripted').state], Array(3).fill({ kind: 'stopped', reason: 'needsConsent' }));
    assert.equal(host.asked.length, 3);
  });
});
