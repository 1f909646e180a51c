import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { ConversationShelf } from '../../src/chat/store/conversationShelf.ts';
import { storeLimits } from '../../src/chat/store/storeLimits.ts';
import { Ledger } from '../../src/consent/ledger.ts';
import { discoveryFile } from '../../src/contract/bridgeFiles.ts';
import { KeptRuns } from '../../src/host/byHand/keptRuns.ts';
import { KnownTools } from '../../src/host/byHand/knownTools.ts';
import { SamplingBudgets } from '../../src/host/features/sampling/samplingBudget.ts';
import { SharedFolderOnDisk } from '../../src/platform/files/sharedFolderOnDisk.ts';
import { ClientTokens } from '../../src/server/access/clientTokens.ts';
import { IssuedTokensFile } from '../../src/server/oauth/issuedTokens.ts';
import { keptFolder, useKeptStorage } from '../support/keptStorage.ts';

const key = { serverId: 'workspace:kiY5fYSBgf0fOZVC:demo', tool: 'roll_dice' };

interface AnyFile {
  version: number;
  [list: string]: unknown;
}

describe('Beside a window of a newer version', () => {
  const { storage, lifetime, open } = useKeptStorage();
  const read = async (name: string): Promise<AnyFile> => JSON.parse(await fs.readFile(path.join(storage(), name), 'utf8')) as AnyFile;
  const write = (name: string, value: unknown): Promise<void> => fs.writeFile(path.join(storage(), name), JSON.stringify(value));
  /** As if the newer version had added a field to every entry, and an entry of a kind of its own. */
  const extend = async (name: string, list: string): Promise<void> => {
    const file = await read(name);
    const entries = (file[list] as object[]).map((entry) => ({ ...entry, newer: { field: 1 } }));
    await write(name, { ...file, [list]: [{ kind: 'newer' }, ...entries] });
  };
  const newerFields = async (name: string, list: string): Promise<number> =>
    ((await read(name))[list] as { newer?: unknown; kind?: unknown }[]).filter((each) => each.newer !== undefined || each.kind === 'newer')
      .length;
  const openLedger = async (): Promise<Ledger> => {
    const ledger = lifetime().add(
      new Ledger({ storage: await open('permissions.json'), workspace: 'w', now: () => new Date(), log: silentLog }),
    );
    await ledger.load();
    return ledger;
  };
  const openTokens = async (): Promise<ClientTokens> =>
    lifetime().add(await ClientTokens.open({ storage: await open('clientTokens.json'), log: silentLog }));
  const openRuns = async (): Promise<KeptRuns> => {
    const options = { clock: systemClock, log: silentLog, holdSecret: () => false };
    const runs = lifetime().add(new KeptRuns({ ...options, storage: await open('toolRuns.json') }));
    await runs.load();
    return runs;
  };

  it('permissions keep what they do not know when one is added', async () => {
    await extend('permissions.json', 'answers');
    const ledger = await openLedger();
    const [start] = ledger.everywhere();
    assert.ok(start);
    await ledger.allowWhen(start, { kind: 'exactArguments', arguments: '{}' }, 'workspace');
    assert.equal(await newerFields('permissions.json', 'answers'), 5);
    assert.equal(((await read('permissions.json'))['answers'] as unknown[]).length, 6);
  });

  it('client tokens keep what they do not know when one is made', async () => {
    await extend('clientTokens.json', 'tokens');
    await (await openTokens()).mint('Cursor');
    assert.equal(await newerFields('clientTokens.json', 'tokens'), 2);
    assert.equal(((await read('clientTokens.json'))['tokens'] as unknown[]).length, 3);
  });

  it('runs by hand keep what they do not know when one is noted', async () => {
    await extend('toolRuns.json', 'tools');
    await (await openRuns()).note(key, { sides: 4 }, 'succeeded');
    assert.equal(await newerFields('toolRuns.json', 'tools'), 1);
  });

  const stores: readonly [name: string, act: () => Promise<unknown>][] = [
    [
      'permissions.json',
      async () => {
        const ledger = await openLedger();
        assert.deepEqual(ledger.everywhere(), []);
        const request = { principal: 'chat', action: 'callTool', subject: ['x'], fingerprint: '', material: {} } as const;
        await assert.rejects(ledger.remember(request, 'allow', 'always'), /newer version of Duplex/);
      },
    ],
    [
      'clientTokens.json',
      async () => {
        const tokens = await openTokens();
        assert.deepEqual(tokens.list(), []);
        await assert.rejects(tokens.mint('Cursor'), /newer version of Duplex/);
      },
    ],
    ['toolRuns.json', async () => (await openRuns()).note(key, { sides: 4 }, 'succeeded')],
    [
      'knownTools.json',
      async () => {
        const tools = lifetime().add(new KnownTools({ clock: systemClock, log: silentLog, storage: await open('knownTools.json') }));
        await tools.load();
        assert.deepEqual(tools.of(key.serverId), []);
        await tools.look([]);
      },
    ],
    [
      'samplingBudgets.json',
      async () => {
        const budgets = new SamplingBudgets({ storage: await open('samplingBudgets.json'), log: silentLog });
        assert.equal(await budgets.payWithin('server', 1), undefined, 'what cannot be counted is not spent');
      },
    ],
    [
      'oauthClients.json',
      async () => {
        const file = await IssuedTokensFile.open(await open('oauthClients.json'), 1234, { log: silentLog, clock: systemClock });
        file.save(() => ({ registrations: [], grants: [] }));
        await file.settled();
      },
    ],
  ];
  for (const [name, act] of stores) {
    it(`${name} of a later format is neither written over nor put aside`, async () => {
      await write(name, { version: 2, everything: 'is different' });
      await act();
      assert.deepEqual(await read(name), { version: 2, everything: 'is different' });
      assert.deepEqual(
        (await fs.readdir(storage())).filter((file) => file.includes('damaged')),
        [],
      );
    });
  }

  it('a conversation of a later format stays, and one with more in its header opens', async () => {
    const folder = '9226397d848181fd1f399542b2bfbc20';
    const [name = ''] = await fs.readdir(path.join(storage(), 'conversations', folder));
    const file = path.join(storage(), 'conversations', folder, name);
    const [header = '', ...rest] = (await fs.readFile(file, 'utf8')).split('\n');
    const list = async (change: object): Promise<number> => {
      const text = [JSON.stringify({ ...(JSON.parse(header) as object), ...change }), ...rest].join('\n');
      await fs.writeFile(file, text);
      const files = lifetime().add(await SharedFolderOnDisk.open(path.join(storage(), 'conversations'), folder, silentLog));
      const { entries } = await new ConversationShelf(files, folder, storeLimits, systemClock).list();
      assert.equal(await fs.readFile(file, 'utf8'), text);
      return entries.length;
    };
    assert.equal(await list({ newer: true }), 1);
    assert.equal(await list({ version: 2 }), 0);
  });

  it('a window is found though it says more of itself', async () => {
    const [name = ''] = await fs.readdir(path.join(keptFolder, 'home', 'windows'));
    const written = JSON.parse(await fs.readFile(path.join(keptFolder, 'home', 'windows', name), 'utf8')) as object;
    assert.equal(discoveryFile.parse({ ...written, newer: true }).version, 1);
  });
});
