import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../../src/base/json.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { launchWorkbench, useSharedWorkbench } from '../../ui/harness/useWorkbench.ts';
import type { Workbench } from '../../ui/harness/workbench.ts';
import { allowEverything } from '../../ui/pages/attentivePerson.ts';
import { discoveredWindows, eventually } from '../../ui/pages/discovery.ts';
import { connectHttp, connectSse, connectWebSocket, type RawClient } from './rawClients.ts';

const rounds = 40;
const inFlight = 8;

interface Hammer {
  readonly client: RawClient;
  /** The only file this client ever asks about. */
  readonly file: string;
  readonly mark: string;
}

/** All clients of all windows use the same request ids at the same time. */
describe('Two windows with three clients each', () => {
  const first = useSharedWorkbench({ version: 'ceiling' });

  it('hammered with equal ids, cross no answer and no notification; closing one window disturbs nothing else', async function () {
    this.timeout(240_000);
    const second = await launchWorkbench({ version: 'ceiling', env: { DUPLEX_HOME: first().folders.home } });
    const here = await connectAll(first(), 'first');
    const there = await connectAll(second, 'second');
    for (const { client, file } of [...here, ...there]) {
      assert.equal((await client.request(1, 'resources/subscribe', { uri: pathToFileURL(file).href })).error, undefined, client.transport);
    }
    await Promise.all([...here, ...there].map(hammer));
    for (const { file, mark } of [...here, ...there]) {
      await writeFile(file, `${mark} changed\n`);
    }
    for (const each of [...here, ...there]) {
      await eventually(`the update of ${each.mark}`, async () => updatesOf(each).find((uri) => uri === pathToFileURL(each.file).href));
    }

    const lasting = Promise.all(here.map(hammer));
    await second.dispose();
    await lasting;
    await Promise.all(here.map(hammer));
    for (const each of [...here, ...there]) {
      assert.deepEqual(each.client.strays, [], `${each.mark} got answers of others`);
      assert.deepEqual([...new Set(updatesOf(each))], [pathToFileURL(each.file).href], `${each.mark} was told of other files`);
      each.client.close();
    }
    const left = await discoveredWindows(first().folders.home);
    assert.deepEqual(left.map(workspaceOf), [first().folders.workspace]);
  });

  async function connectAll(workbench: Workbench, name: string): Promise<Hammer[]> {
    await workbench.openView('Duplex');
    const window = await eventually(`the discovery file of the ${name} window`, async () =>
      (await discoveredWindows(first().folders.home)).find((each) => workspaceOf(each) === workbench.folders.workspace),
    );
    const person = allowEverything(workbench);
    const hammers: Hammer[] = [];
    for (const connect of [connectHttp, connectSse, connectWebSocket]) {
      const client = await connect(window);
      const mark = `${name} ${client.transport}`;
      const file = path.join(workbench.folders.workspace ?? '', `${client.transport.slice(1)}.txt`);
      await writeFile(file, `${mark}\n`);
      hammers.push({ client, file, mark });
      await client.request(1, 'tools/call', { name: 'list_workspace_folders', arguments: {} });
    }
    await person.stop();
    return hammers;
  }
});

function workspaceOf(window: DiscoveryFile): string | undefined {
  return window.workspaceFolders[0]?.path;
}

/** Ids 1, 2, 3 …, several at a time, each answer checked against what only this client asked for. */
async function hammer({ client, file, mark }: Hammer): Promise<void> {
  let next = 1;
  const worker = async (): Promise<void> => {
    while (next <= rounds) {
      const id = next;
      next += 1;
      const answer = await client.request(id, 'tools/call', { name: 'read_file', arguments: { path: path.basename(file) } });
      const result = answer.result as { readonly content: readonly JsonObject[] } | undefined;
      assert.equal(answer.id, id, JSON.stringify(answer).slice(0, 300));
      assert.ok(JSON.stringify(result?.content[0]).includes(mark), `${mark} got ${JSON.stringify(answer).slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

function updatesOf({ client }: Hammer): string[] {
  return client.notifications
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => (params as { readonly uri: string }).uri);
}
