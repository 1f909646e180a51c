import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import type { DefinitionSource } from '../../../src/definitions/serverDefinition.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { createTestHost, scriptedServer, textOf, type TestHost } from './support.ts';

const signal = new AbortController().signal;
const definition = { command: 'node', args: [scriptedServer] };

describe('A workspace of several folders', () => {
  const [first, second] = [createTemporaryFolder(), createTemporaryFolder()];
  const folders = [
    { name: 'app', path: first },
    { name: 'site', path: second },
  ];
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost({ folder: first, environment: { folders: () => folders } });
  });
  afterEach(() => host.close());

  const user = (value: unknown): DefinitionSource => ({ scope: 'user', value, location: 'user settings' });
  const inFolder = (index: number, value: unknown): DefinitionSource => {
    const folder = folders[index];
    assert.ok(folder);
    return { scope: 'folder', folder, value, location: `settings of the folder ${folder.name}` };
  };
  const apply = (...sources: DefinitionSource[]): Promise<void> => host.registry.apply(readDefinitions(sources));
  const startAll = async (): Promise<unknown> =>
    Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
  const surroundings = async (label: string): Promise<{ cwd: string; argv: string[]; pid: number }> =>
    JSON.parse(textOf(await host.call('surroundings', {}, { serverId: host.server(label).id }))) as {
      cwd: string;
      argv: string[];
      pid: number;
    };

  it('runs each folder’s server in that folder and the person’s in the first', async () => {
    const telling = { ...definition, args: [scriptedServer, 'normal', '${workspaceFolder}', '${workspaceFolder:site}'] };
    await apply(user({ demo: telling }), inFolder(0, { demo: telling }), inFolder(1, { demo: telling }));
    await startAll();
    const places = await Promise.all(['demo@user', 'demo@app', 'demo@site'].map(surroundings));
    const [one, two] = [await realpath(first), await realpath(second)];
    assert.deepEqual(
      places.map(({ cwd }) => cwd),
      [one, one, two],
    );
    assert.deepEqual(
      places.map(({ argv }) => argv.slice(1)),
      [
        [first, second],
        [first, second],
        [second, second],
      ],
    );
  });

  it('restarts only the server whose definition changed, whatever else is wrong', async () => {
    await apply(inFolder(0, { demo: definition }), inFolder(1, { demo: definition }));
    await startAll();
    const before = await Promise.all(['demo@app', 'demo@site'].map(surroundings));
    await apply(inFolder(0, { demo: definition, broken: { command: 7 } }), inFolder(1, { demo: { ...definition, timeout: 5_000 } }), {
      ...inFolder(1, 'nonsense'),
    });
    await host.registry.startApproved();
    assert.deepEqual(
      host.registry.servers().map(({ label, state }) => [label, state.kind]),
      [
        ['demo@app', 'ready'],
        ['demo@site', 'stopped'],
      ],
    );
    assert.equal((await surroundings('demo@app')).pid, before[0]?.pid);
    assert.deepEqual(
      host.registry.problems().map(({ code, location }) => [code, location]),
      [
        ['definitions.wrongType', 'settings of the folder app'],
        ['definitions.serversNotAnObject', 'settings of the folder site'],
      ],
    );
  });

  it('keeps a server running whose label changes because another of its name appears, and asks under the new label', async () => {
    await apply(inFolder(0, { demo: definition }));
    await startAll();
    const { pid } = await surroundings('demo');
    await apply(inFolder(0, { demo: definition }), inFolder(1, { demo: { ...definition, disabled: true } }));
    assert.equal((await surroundings('demo@app')).pid, pid);
    await host.ledger.revoke(host.ledger.answers()[0]?.id ?? '');
    await host.registry.restart(host.server('demo@app').id, { ask: host.ask, signal });
    const detail = host.asked.at(-1)?.detail;
    assert.equal(detail?.kind === 'startServer' && detail.server, 'demo@app');
  });

  it('offers the tools that are included and not excluded', async () => {
    await apply(inFolder(0, { demo: { ...definition, tools: { include: ['echo', 's*'], exclude: ['slo?'] } } }));
    await startAll();
    const names = host.server('demo').tools.map(({ name }) => name);
    assert.ok(names.includes('echo') && names.includes('surroundings') && names.includes('structured'), names.join());
    assert.deepEqual(
      names.filter((name) => !/^(echo|s.*)$/.test(name) || name === 'slow'),
      [],
    );
  });
});
