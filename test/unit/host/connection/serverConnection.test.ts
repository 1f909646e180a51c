import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createTestHost, failureOf, scriptedServer, textOf, untilGone, type TestHost } from '../support.ts';

describe('A local server', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  it('is asked about, started and ready with its tools', async () => {
    const server = await host.startScripted();
    assert.deepEqual(server.state, {
      kind: 'ready',
      serverName: 'scripted',
      version: '1.0.0',
      protocolVersion: '2025-11-25',
      capabilities: ['tools'],
      instructions: 'Be gentle.',
    });
    assert.deepEqual(
      server.tools.map((tool) => tool.name),
      ['echo', 'surroundings', 'structured', 'slow', 'cancellations', 'hang', 'refuse', 'die', 'change_echo', 'start_children'],
    );
    assert.deepEqual(
      host.asked.map((question) => [question.detail.kind, question.why, question.choices]),
      [['startServer', 'new', ['deny', 'allowSession', 'allow']]],
    );
  });

  it('that never answers fails after its timeout', async () => {
    const { state } = await host.startScripted('silent', { timeout: 1_000 });
    assert.deepEqual(failureOf(state), { code: 'host.timeout', detail: undefined });
  });

  it('that dies in the handshake fails at once with its exit code and last words', async () => {
    const { state } = await host.startScripted('diesInHandshake');
    assert.deepEqual(failureOf(state), { code: 'host.serverEnded', detail: 'Cannot find my configuration.\nGiving up.' });
    assert.match((state as { error: Error }).error.message, /exit code 3/);
  });

  it('that dies during a call fails the call with its last words and can be started again', async () => {
    const { id } = await host.startScripted();
    const outcome = await host.call('die');
    assert.deepEqual(failureOf(outcome), { code: 'host.serverEnded', detail: 'These are\nmy last words.' });
    assert.deepEqual(failureOf(host.server('scripted').state), { code: 'host.serverEnded', detail: 'These are\nmy last words.' });
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready');
    assert.equal(host.asked.filter((question) => question.detail.kind === 'startServer').length, 1);
  });

  it('that writes other things than messages works, and the noise is in the log', async () => {
    await host.startScripted('noisy');
    assert.equal(textOf(await host.call('echo', { text: 'still here' })), 'still here');
    assert.ok(host.logged.some((line) => line.includes('Listening, more or less …')));
  });

  it('that answers in arrays, as 2025-03-26 may, is understood', async () => {
    const { state } = await host.startScripted('batches');
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-03-26');
    assert.equal(textOf(await host.call('echo', { text: 'one by one' })), 'one by one');
  });

  it('whose pages never end fails with that reason', async () => {
    const { state } = await host.startScripted('endlessPages');
    assert.equal(failureOf(state).code, 'host.endlessList');
  });

  it('that is stopped while it starts ends up stopped', async () => {
    const starting = host.startScripted('silent');
    await host.until(() => host.registry.servers()[0]?.state.kind === 'starting', 'the start');
    await host.registry.stop(host.server('scripted').id);
    assert.deepEqual((await starting).state, { kind: 'stopped', reason: 'byUser' });
  });

  it('that is started twice at once starts once', async () => {
    await host.configure({ scripted: { command: 'node', args: [scriptedServer] } });
    const { id } = host.server('scripted');
    const options = { ask: host.ask, signal: new AbortController().signal };
    const states = await Promise.all([host.registry.start(id, options), host.registry.start(id, options), host.registry.startApproved()]);
    assert.deepEqual([states[0].kind, states[1].kind, host.asked.length], ['ready', 'ready', 1]);
  });

  it('whose program does not exist fails with where it was looked for', async () => {
    await host.configure({ absent: { command: 'no-such-program' } });
    await host.registry.start(host.server('absent').id, { ask: host.ask, signal: new AbortController().signal });
    const { state } = host.server('absent');
    assert.equal(failureOf(state).code, 'definitions.commandNotFound');
    assert.match(failureOf(state).detail ?? '', /Looked in:/);
  });

  it('shows a changed tool after it says that its list changed', async () => {
    await host.startScripted();
    await host.call('change_echo', { to: 'Something else.' });
    await host.until(() => host.server('scripted').tools[0]?.description === 'Something else.', 'the new description');
  });

  it('leaves out tools by the patterns of its definition', async () => {
    const { tools } = await host.startScripted('normal', { tools: { include: ['*e*'], exclude: ['change_*', 'refus?'] } });
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ['echo', 'structured', 'cancellations', 'die', 'start_children'],
    );
  });
});

describe('The supervisor', () => {
  const childrenOf = async (parent: number): Promise<readonly number[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
    return pids.flatMap((pid, index) =>
      Number((parents[index] ?? '').replace(/^.*\) /s, '').split(' ')[1]) === parent ? [Number(pid)] : [],
    );
  };

  it('that is killed is followed by another one, which looks after the same servers', async () => {
    const host = await createTestHost();
    try {
      const before = await childrenOf(process.pid);
      await host.startScripted();
      const { pid } = JSON.parse(textOf(await host.call('surroundings'))) as { pid: number };
      const [supervisor] = (await childrenOf(process.pid)).filter((each) => !before.includes(each) && each !== pid);
      assert.ok(supervisor);
      process.kill(supervisor, 'SIGKILL');
      await host.until(() => host.logged.some((line) => line.includes('another one looks after 1 servers')), 'another one');
      assert.equal((JSON.parse(textOf(await host.call('surroundings'))) as { pid: number }).pid, pid);
      await host.close();
      assert.deepEqual(await untilGone([pid], 5_000), []);
    } finally {
      await host.close();
    }
  });

  it('that does not last fails its servers with that reason', async () => {
    const host = await createTestHost({ launch: { command: process.execPath, args: ['-e', 'process.exit(7)'], env: {} } });
    try {
      await host.startScripted('silent').catch(() => undefined);
      await host.until(() => host.server('scripted').state.kind === 'failed', 'the failure');
      assert.equal(failureOf(host.server('scripted').state).code, 'host.supervisorEnded');
    } finally {
      await host.close();
    }
  });
});
