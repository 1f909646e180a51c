import assert from 'node:assert/strict';
import { chmod, copyFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { createTestHost, failureOf, isRunning, scriptedServer, textOf, type TestHost } from './support.ts';

const definition = { command: 'node', args: [scriptedServer] };
const signal = new AbortController().signal;

describe('The registry of servers', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  it('starts at activation what was allowed before and says of the rest that it needs permission', async () => {
    await host.startScripted();
    await host.registry.stop(host.server('scripted').id);
    await host.configure({ scripted: { ...definition, args: [scriptedServer, 'normal'], timeout: 5_000 }, other: definition });
    await host.registry.startApproved();
    assert.deepEqual(
      host.registry.servers().map(({ label, state }) => [label, state]),
      [
        ['scripted', { kind: 'stopped', reason: 'needsConsent' }],
        ['other', { kind: 'stopped', reason: 'needsConsent' }],
      ],
    );
    await host.configure({ scripted: { command: 'node', args: [scriptedServer, 'normal'] } });
    await host.registry.startApproved();
    assert.equal(host.server('scripted').state.kind, 'ready');
    assert.equal(host.asked.length, 1);
  });

  it('leaves a server alone whose definition did not change', async () => {
    const before = await host.startScripted();
    await host.configure({ scripted: { command: 'node', args: [scriptedServer, 'normal'] }, other: { ...definition, disabled: true } });
    await host.registry.startApproved();
    assert.deepEqual(host.server('scripted'), before);
    assert.deepEqual(host.server('other').state, { kind: 'stopped', reason: 'disabled' });
  });

  it('stops a running server whose definition changed and asks again with the difference', async () => {
    const { id } = await host.startScripted();
    const { pid } = JSON.parse(textOf(await host.call('surroundings'))) as { pid: number };
    await host.configure({ scripted: { command: 'node', args: [scriptedServer, 'normal', '--extra'], env: { A: 'b' } } });
    assert.equal(await isRunning(pid), false);
    assert.deepEqual(host.server('scripted').state, { kind: 'stopped', reason: 'needsConsent' });
    await host.registry.start(id, { ask: host.ask, signal });
    const { why, differences } = host.asked.at(-1) ?? {};
    assert.deepEqual(
      { why, differences },
      {
        why: 'changed',
        differences: [
          {
            field: 'args',
            before: JSON.stringify([scriptedServer, 'normal']),
            after: JSON.stringify([scriptedServer, 'normal', '--extra']),
          },
          { field: 'env.A', after: 'b' },
        ],
      },
    );
  });

  it('stops and forgets a server that is no longer configured', async () => {
    await host.startScripted();
    const { pid } = JSON.parse(textOf(await host.call('surroundings'))) as { pid: number };
    await host.configure({});
    assert.deepEqual([host.registry.servers(), await isRunning(pid)], [[], false]);
  });

  it('withdraws the question of a server whose definition changes meanwhile', async () => {
    await host.configure({ scripted: definition });
    let isWithdrawn = false;
    const starting = host.registry.start(host.server('scripted').id, {
      signal,
      ask: (_question, withdrawn) =>
        new Promise((_resolve, reject) => {
          withdrawn.addEventListener('abort', () => {
            isWithdrawn = true;
            reject(new DOMException('withdrawn', 'AbortError'));
          });
          void host.configure({ scripted: { ...definition, env: { NEW: '1' } } });
        }),
    });
    assert.deepEqual([await starting, isWithdrawn], [{ kind: 'stopped', reason: 'needsConsent' }, true]);
  });

  it('neither asks nor starts for whoever waited for a start that the person stopped', async () => {
    let look = (): void => undefined;
    const looked = new Promise<boolean>((resolve) => (look = () => resolve(false)));
    const slow = await createTestHost({ ports: { isThisEditor: () => looked } });
    await slow.configure({ scripted: { command: 'node', args: [scriptedServer] } });
    const { id } = slow.server('scripted');
    const starts = [slow.registry.start(id, { signal }), slow.registry.start(id, { ask: slow.ask, signal })];
    const stopped = slow.registry.stop(id);
    look();
    await Promise.all([...starts, stopped]);
    assert.deepEqual([slow.asked.length, slow.server('scripted').state.kind], [0, 'stopped']);
    await slow.close();
  });

  it('remembers no plain refusal: the next start asks again', async () => {
    host.answer = () => 'deny';
    const { state, id } = await host.startScripted();
    assert.deepEqual(state, { kind: 'stopped', reason: 'needsConsent' });
    host.answer = () => 'allow';
    assert.equal((await host.registry.restart(id, { ask: host.ask, signal })).kind, 'ready');
    assert.equal(host.asked.length, 2);
  });

  it('asks before it connects a remote server, with every field of its definition', async () => {
    await host.configure({ far: { url: 'https://example.invalid/mcp', headers: { 'X-Team': 'blue' } } });
    host.answer = () => 'deny';
    const state = await host.registry.start(host.server('far').id, { ask: host.ask, signal });
    assert.deepEqual(state, { kind: 'stopped', reason: 'needsConsent' });
    const detail = host.asked[0]?.detail;
    assert.deepEqual(detail?.kind === 'startServer' && detail.fields.map(({ name, value }) => [name, value]), [
      ['url', 'https://example.invalid/mcp'],
      ['host', 'example.invalid'],
      ['type', 'auto'],
      ['headers.X-Team', 'blue'],
    ]);
  });

  it('shows the problems of a definition with its server', async () => {
    await host.configure({ scripted: { ...definition, autoApprove: ['*'] }, broken: { command: 7 } });
    assert.deepEqual(
      host.server('scripted').problems.map(({ severity, code, path: where }) => ({ severity, code, where })),
      [{ severity: 'warning', code: 'definitions.unknownField', where: ['autoApprove'] }],
    );
    assert.deepEqual(
      host.registry.problems().map(({ server, code }) => [server, code]),
      [
        ['scripted', 'definitions.unknownField'],
        ['broken', 'definitions.wrongType'],
      ],
    );
  });

  it('gives every tool of every server a name of its own that a model can use', async () => {
    const long = 'a server with a rather long name, spaces and a dot.';
    await host.configure({ scripted: definition, [long]: definition });
    await Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
    const names = host.registry.modelTools().map((tool) => tool.name);
    assert.equal(new Set(names).size, 20);
    assert.deepEqual(
      names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
      [],
    );
    assert.equal(names[0], 'scripted__echo');
    assert.deepEqual(
      host.registry.modelTools().map((tool) => tool.name),
      names,
    );
  });

  it('knows what a name was given out for when its server is gone, and never shows an id', async () => {
    await host.startScripted();
    const { id } = host.server('scripted');
    const [first] = host.registry.modelTools();
    await host.configure({});
    assert.deepEqual(host.registry.toolNamed(first?.name ?? ''), { serverId: id, tool: 'echo' });
    assert.equal(host.registry.toolNamed('made_up'), undefined);
    assert.equal(host.registry.labelOf(id), 'scripted');
    const outcome = await host.call('echo', {}, { serverId: id });
    assert.equal(outcome.kind === 'failed' && outcome.error.message, 'The server “scripted” is not running.');
    assert.throws(() => host.registry.features(id), { message: 'There is no server “scripted”.' });
  });

  it('stops everything within four seconds, even a server that does not want to', async () => {
    await host.startScripted('ignoresTerm');
    const { pid } = JSON.parse(textOf(await host.call('surroundings'))) as { pid: number };
    const start = performance.now();
    await host.registry.stopAll();
    assert.ok(performance.now() - start < 15_000);
    assert.equal(await isRunning(pid), false);
    await host.registry.startApproved();
    assert.deepEqual(host.server('scripted').state, { kind: 'stopped', reason: 'byUser' });
  });
});

describe('Before workspace trust', () => {
  it('nothing starts and nobody is asked', async () => {
    const host = await createTestHost({
      environment: { isTrusted: () => false },
      launch: { command: '/nonexistent', args: [], env: {} },
    });
    try {
      await host.configure({ scripted: definition });
      await host.registry.startApproved();
      const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
      assert.equal(failureOf(state).code, 'host.notTrusted');
      assert.deepEqual([host.asked, host.server('scripted').state], [[], { kind: 'stopped', reason: 'neverStarted' }]);
    } finally {
      await host.close();
    }
  });
});

describe('The login shell', () => {
  it('is asked after the first approval only, and what it finds needs no second question when the first said so', async () => {
    const asked: string[] = [];
    const host = await createTestHost({
      environment: {
        env: { PATH: createTemporaryFolder() },
        loginShellPath: () => {
          asked.push(`after ${host.asked.length} questions`);
          return Promise.resolve(path.dirname(process.execPath));
        },
      },
    });
    try {
      await host.configure({ scripted: definition });
      await host.registry.startApproved();
      assert.deepEqual(asked, []);
      const { id } = host.server('scripted');
      assert.equal((await host.registry.start(id, { ask: host.ask, signal })).kind, 'ready');
      assert.deepEqual(asked, ['after 1 questions']);
      assert.equal((await host.registry.restart(id, { ask: host.ask, signal })).kind, 'ready');
      assert.equal(host.asked.length, 1);
    } finally {
      await host.close();
    }
  });

  it('that finds another program than was shown causes a second question with the difference', async () => {
    const own = createTemporaryFolder();
    await symlink(process.execPath, path.join(own, 'node'));
    const host = await createTestHost({ environment: { env: { PATH: own } } });
    try {
      const { state } = await host.startScripted();
      assert.equal(state.kind, 'ready');
      assert.deepEqual(host.asked[1]?.differences, [
        { field: 'executable', before: path.join(own, 'node'), after: path.join(path.dirname(process.execPath), 'node') },
      ]);
    } finally {
      await host.close();
    }
  });
});

describe('A changed program or envFile', () => {
  it('is asked about again', async () => {
    const folder = createTemporaryFolder();
    const given: unknown[] = [];
    const host = await createTestHost({ folder, ports: { onEnvFile: (id, variables) => given.push([id, variables]) } });
    const server = path.join(folder, 'server.mjs');
    const envFile = path.join(folder, '.env');
    try {
      await copyFile(scriptedServer, server);
      await chmod(server, 0o755);
      await writeFile(envFile, 'TOKEN=secret-one\n');
      await host.configure({ scripted: { command: 'node', args: ['${workspaceFolder}/server.mjs'], envFile: '.env' } });
      const { id } = host.server('scripted');
      await host.registry.start(id, { ask: host.ask, signal });
      await host.registry.restart(id, { ask: host.ask, signal });
      assert.equal(host.asked.length, 1);
      await writeFile(envFile, 'TOKEN=secret-two\nNODE_OPTIONS=--import=/projects/evil.mjs\n');
      host.answer = () => 'deny';
      await host.registry.restart(id, { ask: host.ask, signal });
      const question = host.asked[1];
      assert.ok(question?.detail.kind === 'startServer');
      assert.deepEqual(
        question.differences.map((difference) => difference.field),
        ['envFile.names', 'envFile.content'],
      );
      assert.deepEqual(
        question.detail.fields.filter((field) => field.isDangerous).map((field) => field.name),
        ['envFile.NODE_OPTIONS'],
      );
      // Known elsewhere as soon as it starts, and not before it may.
      assert.deepEqual(given, [
        [id, { TOKEN: 'secret-one' }],
        [id, { TOKEN: 'secret-one' }],
      ]);
      assert.ok(!JSON.stringify(host.asked).includes('secret-'));
      assert.ok(!JSON.stringify(host.ledger.answers()).includes('secret-'));
    } finally {
      await host.close();
    }
  });
});

describe('A configured server that is this editor', () => {
  it('is shown and never connected, whoever starts it, and nobody is asked', async () => {
    const host = await createTestHost({ ports: { isThisEditor: ({ name }) => Promise.resolve(name === 'self') } });
    await host.configure({ self: { url: 'http://127.0.0.1:4100/mcp' } });
    await host.registry.startApproved();
    const { id } = host.server('self');
    await host.registry.start(id, { ask: host.ask, signal });
    assert.deepEqual([host.server('self').state, host.asked], [{ kind: 'stopped', reason: 'thisEditor' }, []]);
    await host.close();
  });
});
