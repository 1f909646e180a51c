import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InputDefinition } from '../../src/contract/definitionSchemas.ts';
import type { DefinitionSource } from '../../src/definitions/serverDefinition.ts';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import { StoredInputValues } from '../../src/editor/storage/storedInputValues.ts';
import type * as SettingsReaderModule from '../../src/editor/settingsReader.ts';
import type { PreparedRemote } from '../../src/definitions/prepareRemote.ts';
import { maskMaterial } from '../../src/host/approval/hiddenSecrets.ts';
import { inputFields, inputMaterial } from '../../src/host/approval/startRequest.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { startPeer, streamable, type HttpPeer } from '../unit/host/remoteSupport.ts';
import { createTestHost, failureOf, scriptedServer, textOf, type TestHost, type TestHostOptions } from '../unit/host/support.ts';
import { importWithFakes } from '../support/build/importWithFakes.ts';

const program = "export { globalSources } from './src/editor/settingsReader.ts';";
const { globalSources } = await importWithFakes<typeof SettingsReaderModule>(program, { vscode: '' });
const signal = new AbortController().signal;
const needsConsent = { kind: 'stopped', reason: 'needsConsent' };
const token = { type: 'promptString', id: 'token', password: true };

describe('Definitions from several places', () => {
  const folder = createTemporaryFolder();
  let host: TestHost;
  const peers: HttpPeer[] = [];
  const received: (readonly [string, Record<string, unknown>])[] = [];

  afterEach(async () => {
    await host.close();
    await Promise.all(peers.splice(0).map((peer) => peer.close()));
    received.length = 0;
  });

  async function peer(name: string): Promise<string> {
    const answer = streamable();
    const started = await startPeer((request, response) => {
      received.push([name, request.headers]);
      answer(request, response);
    });
    peers.push(started);
    return started.url.href;
  }

  async function create(options: TestHostOptions = {}): Promise<void> {
    host = await createTestHost({ folder, ...options });
  }

  const user = (value: unknown, inputs?: unknown): DefinitionSource => ({ scope: 'user', value, inputs, location: 'user settings' });
  const workspace = (value: unknown, inputs?: unknown): DefinitionSource => ({
    scope: 'workspace',
    workspace: folder,
    value,
    inputs,
    location: 'workspace settings',
  });
  const apply = (...sources: DefinitionSource[]): Promise<void> => host.registry.apply(readDefinitions(sources));
  const start = (label: string): ReturnType<TestHost['registry']['start']> =>
    host.registry.start(host.server(label).id, { ask: host.ask, signal });
  const headersAt = (name: string): unknown[] =>
    received.filter(([where]) => where === name).map(([, headers]) => headers['authorization'] ?? headers['x-key']);

  it('are never joined: a repository’s address gets no header of the person’s server of the same name', async () => {
    await create({ environment: { env: { SECRET: 's3cret' } } });
    const [mine, theirs] = [await peer('mine'), await peer('theirs')];
    await apply(user({ demo: { url: mine, headers: { Authorization: 'Bearer ${env:SECRET}' } } }), workspace({ demo: { url: theirs } }));
    assert.equal((await start('demo@user')).kind, 'ready');
    await host.registry.startApproved();
    assert.deepEqual(host.server('demo@workspace').state, needsConsent);
    assert.equal((await start('demo@workspace')).kind, 'ready');
    assert.deepEqual(new Set(headersAt('mine')), new Set(['Bearer s3cret']));
    assert.deepEqual(new Set(headersAt('theirs')), new Set([undefined]));
    assert.deepEqual(
      host.asked.map(({ detail }) => detail.kind === 'startServer' && [detail.configuredIn, detail.disclosures]),
      [
        ['user settings', [{ name: 'SECRET', destination: new URL(mine).host }]],
        ['workspace settings', []],
      ],
    );
  });

  it('are never joined by the editor either: a devcontainer’s settings get no header, input or permission of the person’s', async () => {
    await create({ environment: { env: { SECRET: 's3cret' } }, ports: { inputs: answering('typed') } });
    const [mine, theirs] = [await peer('mine'), await peer('theirs')];
    const headers = { Authorization: 'Bearer ${env:SECRET}', 'X-Input': '${input:token}' };
    const local = { demo: { url: mine, headers } };
    const remote = { demo: { url: theirs }, more: { url: theirs, headers: { 'X-Key': '${input:token}' } } };
    // As VS Code answers in a remote window: the whole is a deep merge of both parts.
    const servers = {
      globalLocalValue: local,
      globalRemoteValue: remote,
      globalValue: { demo: { url: theirs, headers }, more: remote.more },
    };
    const inputs = { globalLocalValue: [token], globalRemoteValue: undefined, globalValue: [token] };
    const places = { userLocation: 'user settings', remoteLocation: 'remote settings', machine: 'box' };
    const sources = globalSources(servers, inputs, places);
    await apply(...sources);
    assert.deepEqual(
      host.registry.servers().map(({ label, location }) => [label, location]),
      [
        ['demo@user', 'user settings'],
        ['demo@remote', 'remote settings'],
      ],
    );
    assert.equal((await start('demo@user')).kind, 'ready');
    await host.registry.startApproved();
    assert.deepEqual(host.server('demo@remote').state, needsConsent);
    assert.equal((await start('demo@remote')).kind, 'ready');
    assert.deepEqual(new Set(headersAt('mine')), new Set(['Bearer s3cret']));
    assert.deepEqual(new Set(headersAt('theirs')), new Set([undefined]));
    const ids = (machine: string): string[] =>
      readDefinitions(globalSources(servers, inputs, { ...places, machine })).definitions.map(({ id }) => id);
    assert.deepEqual([ids('box')[0] === ids('other')[0], ids('box')[1] === ids('other')[1]], [true, false]);
  });

  it('that all profiles share, or of an editor that knows no parts, are the person’s', () => {
    const value = { demo: { command: 'a' } };
    const places = { userLocation: 'user settings', remoteLocation: 'remote settings', machine: 'box' };
    const scopes = (inspected: SettingsReaderModule.InspectedGlobally): unknown[] =>
      globalSources(inspected, undefined, places).map((source) => [source.scope, source.value]);
    assert.deepEqual(scopes({ globalValue: value }), [['user', value]]);
    assert.deepEqual(scopes({ globalValue: value, globalLocalValue: undefined, globalRemoteValue: undefined }), [['user', value]]);
    assert.deepEqual(scopes({ globalValue: value, globalRemoteValue: value }), [['remote', value]]);
    assert.deepEqual(scopes({}), []);
  });

  it('make no connection and ask for no input before the start is allowed', async () => {
    const prompts: string[] = [];
    const inputs = new StoredInputValues(new MemorySecrets(), 'here', (_owner, input) => {
      prompts.push(input.id);
      return Promise.resolve('x');
    });
    await create({ ports: { inputs } });
    host.answer = () => 'deny';
    await apply(workspace({ far: { url: await peer('far'), headers: { 'X-Key': '${input:token}' } } }, [token]));
    await host.registry.startApproved();
    assert.deepEqual([host.server('far').state, await start('far')], [needsConsent, needsConsent]);
    assert.deepEqual([received, prompts], [[], []]);
  });

  it('are asked about again when the address or a header of a running remote server changes', async () => {
    await create();
    const url = await peer('far');
    const other = await peer('other');
    await apply(workspace({ far: { url, headers: { 'X-Key': 'a' } } }));
    assert.equal((await start('far')).kind, 'ready');
    for (const [changed, fields] of [
      [{ url, headers: { 'X-Key': 'b' } }, ['headers.X-Key']],
      [{ url: other, headers: { 'X-Key': 'a' } }, ['url', 'host']],
    ] as const) {
      await apply(workspace({ far: changed }));
      await host.registry.startApproved();
      assert.deepEqual(host.server('far').state, needsConsent);
      host.answer = () => 'deny';
      await start('far');
      assert.deepEqual(
        host.asked.at(-1)?.differences.map(({ field }) => field),
        fields,
      );
    }
    assert.deepEqual(headersAt('other'), []);
  });

  it('deliver the value of an input to the definition it was given to and to no other', async () => {
    const secrets = new MemorySecrets();
    const inputs = new StoredInputValues(secrets, 'here', (owner) => Promise.resolve(`value of ${owner.label}`));
    await create({ ports: { inputs } });
    const local = { command: 'node', args: [scriptedServer, 'normal', '${input:token}'], env: { TOKEN: '${input:token}' } };
    const url = await peer('theirs');
    await apply(user({ demo: local }, [token]));
    assert.equal((await start('demo')).kind, 'ready');
    const { argv, env } = JSON.parse(textOf(await host.call('surroundings', {}, { serverId: host.server('demo').id }))) as {
      argv: string[];
      env: Record<string, string>;
    };
    assert.deepEqual([argv.at(-1), env['TOKEN']], ['value of demo', 'value of demo']);
    await apply(user({ demo: local }, [token]), workspace({ demo: { url, headers: { 'X-Key': '${input:token}' } } }, [token]));
    assert.equal((await start('demo@workspace')).kind, 'ready');
    assert.deepEqual(new Set(headersAt('theirs')), new Set(['value of demo@workspace']));
    const told = JSON.stringify([host.asked, host.logged, host.ledger.answers(), host.registry.servers()]);
    assert.ok(!told.includes('value of'), 'no value is in a question, a log, the ledger or a snapshot');
    assert.equal(secrets.kept.size, 2);
  });

  it('start nothing when the person cancels an input', async () => {
    await create({ ports: { inputs: new StoredInputValues(new MemorySecrets(), 'here', () => Promise.resolve(undefined)) } });
    await apply(workspace({ far: { url: await peer('far'), headers: { 'X-Key': '${input:token}' } } }, [token]));
    assert.deepEqual(await start('far'), { kind: 'stopped', reason: 'byUser' });
    assert.deepEqual(received, []);
  });

  it('use secrets over an unencrypted way only after a question that said so', async () => {
    const targets: PreparedRemote[] = [];
    const authFor = (target: PreparedRemote): undefined => {
      targets.push(target);
      throw new Error('far enough');
    };
    await create({ ports: { authFor } });
    await apply(workspace({ far: { url: 'http://server.invalid/mcp', headers: { 'X-Key': 'k' } } }));
    host.answer = () => 'deny';
    assert.deepEqual(await start('far'), needsConsent);
    assert.equal(targets.length, 0);
    host.answer = () => 'allow';
    assert.equal((await start('far')).kind, 'failed');
    const detail = host.asked.at(-1)?.detail;
    assert.ok(detail?.kind === 'startServer');
    assert.match(detail.fields.find(({ name }) => name === 'encryption')?.value ?? '', /secrets/);
    assert.deepEqual(
      targets.map(({ mayUseSecretsOverPlainHttp }) => mayUseSecretsOverPlainHttp),
      [true],
    );
  });

  it('send `$(…)` and backticks in a header as they are', async () => {
    await create();
    const text = '$(touch planted)`id`;${userHome}';
    await apply(workspace({ far: { url: await peer('far'), headers: { 'X-Key': text } } }));
    assert.equal((await start('far')).kind, 'ready');
    assert.equal(headersAt('far')[0], `$(touch planted)\`id\`;${folder}`);
  });

  it('with a secret in the address tell it to the server alone', async () => {
    const keys: string[] = [];
    const eraCache = { get: (key: string): undefined => void keys.push(key), set: (key: string): void => void keys.push(key) };
    await create({ environment: { env: { SECRET: 's3cret' } }, ports: { eraCache } });
    await apply(workspace({ far: { url: `${await peer('far')}?key=\${env:SECRET}` }, gone: { url: 'http://127.0.0.1:1/${env:SECRET}' } }));
    assert.equal((await start('far')).kind, 'ready');
    const gone = await start('gone');
    assert.ok(gone.kind === 'failed');
    const { message, detail } = gone.error;
    const told = JSON.stringify([keys, host.asked, host.logged, host.ledger.answers(), host.registry.servers(), message, detail]);
    assert.ok(keys.length > 0 && !told.includes('s3cret'), told);
    assert.ok(peers[0]?.requests.every((request) => request.endsWith('?key=s3cret')));
  });

  it('are asked about again when what an input says of itself changes', async () => {
    await create({ ports: { inputs: new StoredInputValues(new MemorySecrets(), 'here', () => Promise.resolve('x')) } });
    const value = { far: { url: await peer('far'), headers: { 'X-Key': '${input:token}' } } };
    await apply(workspace(value, [token]));
    assert.equal((await start('far')).kind, 'ready');
    await apply(workspace(value, [token, { ...token, id: 'unused' }]));
    assert.equal(host.server('far').state.kind, 'ready');
    await apply(workspace(value, [{ ...token, description: 'Your bank’s password' }]));
    await host.registry.startApproved();
    assert.deepEqual(host.server('far').state, needsConsent);
  });

  it('are asked about again when an option or a default of an input changes, and show both whole', async () => {
    const asked: string[] = [];
    const inputs = new StoredInputValues(new MemorySecrets(), 'here', (_owner, { id }) => {
      asked.push(id);
      return Promise.resolve(id === 'mode' ? 'safe' : 'x');
    });
    await create({ ports: { inputs } });
    const value = { far: { url: await peer('far'), headers: { 'X-Key': '${input:mode}', 'X-Name': '${input:name}' } } };
    const offered = (extra: unknown, preset = 'me'): unknown[] => [
      { type: 'pickString', id: 'mode', options: ['safe', extra], default: 'safe' },
      { type: 'promptString', id: 'name', default: preset },
    ];
    await apply(workspace(value, offered({ label: 'Fast', value: 'fast' })));
    assert.equal((await start('far')).kind, 'ready');
    const detail = host.asked.at(-1)?.detail;
    assert.ok(detail?.kind === 'startServer');
    assert.deepEqual(
      detail.fields.filter((field) => field.name.startsWith('inputs.')).map((field) => [field.name, field.value]),
      [
        ['inputs.mode', 'pickString'],
        ['inputs.mode.default', 'safe'],
        ['inputs.mode.options[0]', 'safe'],
        ['inputs.mode.options[1].label', 'Fast'],
        ['inputs.mode.options[1].value', 'fast'],
        ['inputs.name', 'promptString'],
        ['inputs.name.default', 'me'],
      ],
    );
    host.answer = () => 'deny';
    for (const [changed, field] of [
      [offered({ label: 'Fast', value: '--eval=evil' }), 'inputs.mode.options'],
      [offered({ label: 'Faster', value: 'fast' }), 'inputs.mode.options'],
      [offered({ label: 'Fast', value: 'fast' }, '--eval=evil'), 'inputs.name.default'],
    ] as const) {
      await apply(workspace(value, changed));
      await host.registry.startApproved();
      assert.deepEqual(host.server('far').state, needsConsent);
      await start('far');
      assert.deepEqual(
        host.asked.at(-1)?.differences.map((difference) => difference.field),
        [field],
      );
    }
    assert.deepEqual(asked, ['mode', 'name']);
  });

  it('fill in a password from the person’s own settings only, and never show it', () => {
    const value = { demo: { command: 'a', args: ['${input:token}'] } };
    const preset = [{ ...token, default: 'p4ss' }];
    const found: DefinitionSource = {
      ...workspace(value, preset),
      scope: 'discovered',
      file: { path: '/r/.vscode/mcp.json', name: 'mcp.json' },
    };
    const inFolder: DefinitionSource = { ...workspace(value, preset), scope: 'folder', folder: { name: 'r', path: '/r' } };
    const { definitions, problems } = readDefinitions([user(value, preset), workspace(value, preset), inFolder, found]);
    assert.deepEqual(
      definitions.map(({ scope, inputs }) => [scope, inputs[0]?.default]),
      [
        ['user', 'p4ss'],
        ['workspace', undefined],
        ['folder', undefined],
        ['discovered', undefined],
      ],
    );
    assert.deepEqual(
      problems.map(({ code, severity, scope }) => [code, severity, scope]),
      ['workspace', 'folder', 'discovered'].map((scope) => ['definitions.passwordDefault', 'warning', scope]),
    );
    const shown = (inputs: readonly InputDefinition[] = []): string =>
      JSON.stringify([maskMaterial({ inputs: inputMaterial(inputs) }, 'key').material, inputFields(inputs)]);
    const [mine] = definitions;
    assert.doesNotMatch(shown(mine?.inputs), /p4ss/);
    assert.notEqual(shown(mine?.inputs), shown([{ type: 'promptString', id: 'token', password: true, default: 'other' }]));
  });

  it('with a user name in the address or another scheme fail without a question', async () => {
    await create();
    await apply(workspace({ a: { url: 'https://me:pw@a.example' }, b: { url: 'file:///etc/passwd' } }));
    const codes = [failureOf(await start('a')).code, failureOf(await start('b')).code];
    assert.deepEqual([codes, host.asked], [['definitions.userInfoInUrl', 'definitions.badUrl'], []]);
  });

  it('are asked about again when a commit changes the envFile', async () => {
    await create();
    const envFile = path.join(folder, 'server.env');
    await writeFile(envFile, 'LEVEL=1\n');
    await apply(workspace({ demo: { command: 'node', args: [scriptedServer], envFile: 'server.env' } }));
    assert.equal((await start('demo')).kind, 'ready');
    await host.registry.stop(host.server('demo').id);
    await writeFile(envFile, 'LEVEL=1\nNODE_OPTIONS=--import=./evil.mjs\n');
    host.answer = () => 'deny';
    assert.deepEqual(await start('demo'), needsConsent);
    const question = host.asked.at(-1);
    assert.deepEqual([question?.why, question?.differences.map(({ field }) => field)], ['changed', ['envFile.names', 'envFile.content']]);
  });

  it('are asked about again when another program comes first on PATH', async () => {
    const [first, second] = [createTemporaryFolder(), createTemporaryFolder()];
    await symlink(process.execPath, path.join(second, 'tool'));
    await create({ environment: { loginShellPath: () => Promise.resolve(`${first}:${second}`) } });
    await apply(workspace({ demo: { command: 'tool', args: [scriptedServer] } }));
    assert.equal((await start('demo')).kind, 'ready');
    await host.registry.stop(host.server('demo').id);
    await copyFile('/bin/sh', path.join(first, 'tool'));
    await chmod(path.join(first, 'tool'), 0o755);
    host.answer = () => 'deny';
    assert.deepEqual(await start('demo'), needsConsent);
    assert.deepEqual(
      host.asked.at(-1)?.differences.map(({ field, after }) => [field, after]),
      [['executable', path.join(first, 'tool')]],
    );
  });

  it('found in another program’s file are never started by themselves, not even when they were allowed before', async () => {
    const place = path.join(folder, 'found');
    await mkdir(place, { recursive: true });
    await create();
    const found: DefinitionSource = {
      scope: 'discovered',
      folder: { name: 'found', path: place },
      file: { path: path.join(place, '.mcp.json'), name: '.mcp.json' },
      value: { demo: { command: 'node', args: [scriptedServer] } },
      location: path.join(place, '.mcp.json'),
    };
    const neverStarted = { kind: 'stopped', reason: 'neverStarted' };
    await apply(found);
    await host.registry.startApproved();
    assert.deepEqual(host.server('demo').state, neverStarted);
    assert.equal((await start('demo')).kind, 'ready');
    await apply();
    await apply(found);
    await host.registry.startApproved();
    assert.deepEqual(host.server('demo').state, neverStarted);
    assert.equal(host.asked.length, 1);
  });
});

/** Gives the same answer to every question for an input. */
function answering(value: string): StoredInputValues {
  return new StoredInputValues(new MemorySecrets(), 'here', () => Promise.resolve(value));
}

/** VS Code's secret store, in memory. */
class MemorySecrets {
  readonly kept = new Map<string, string>();
  readonly get = async (key: string): Promise<string | undefined> => this.kept.get(key);
  readonly store = async (key: string, value: string): Promise<void> => void this.kept.set(key, value);
  readonly delete = async (key: string): Promise<void> => void this.kept.delete(key);
}
