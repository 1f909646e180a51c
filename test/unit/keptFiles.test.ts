import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { ConversationShelf } from '../../src/chat/store/conversationShelf.ts';
import { storeLimits } from '../../src/chat/store/storeLimits.ts';
import { readAudit } from '../../src/consent/audit/auditReading.ts';
import { Ledger } from '../../src/consent/ledger.ts';
import { discoveryFile } from '../../src/contract/bridgeFiles.ts';
import { KeptRuns } from '../../src/host/byHand/keptRuns.ts';
import { KnownTools } from '../../src/host/byHand/knownTools.ts';
import { installationId } from '../../src/platform/machineIdentity.ts';
import { RotatingLines } from '../../src/platform/files/rotatingLines.ts';
import { SharedFolderOnDisk } from '../../src/platform/files/sharedFolderOnDisk.ts';
import { ClientTokens } from '../../src/server/access/clientTokens.ts';
import { hashToken } from '../../src/server/access/credentials.ts';
import { keptFolder, useKeptStorage } from '../support/keptStorage.ts';

const serverId = 'workspace:kiY5fYSBgf0fOZVC:demo';

describe('What version 0.1.0 kept', () => {
  const { storage, lifetime, open } = useKeptStorage();

  it('of permissions is still known, answer by answer', async () => {
    const options = { storage: await open('permissions.json'), workspace: 'another', now: () => new Date(), log: silentLog };
    const ledger = lifetime().add(new Ledger(options));
    await ledger.load();
    assert.deepEqual(
      ledger.everywhere().map(({ principal, action, subject, answer, scope }) => [principal, action, subject.join(' '), answer, scope]),
      [
        ['host', 'startServer', `server ${serverId}`, 'allow', 'always'],
        ['chat', 'callTool', `server ${serverId} tool roll_dice`, 'allow', 'workspace'],
        ['palette', 'callTool', `server ${serverId} tool roll_dice`, 'allow', 'always'],
        ['client:client-59c87666', 'connectClient', 'client client-59c87666', 'allow', 'workspace'],
      ],
    );
  });

  it('of permissions stays when a rule is added, and the rule is known beside it', async () => {
    const options = { storage: await open('permissions.json'), workspace: 'another', now: () => new Date(), log: silentLog };
    const ledger = lifetime().add(new Ledger(options));
    await ledger.load();
    const [, call] = ledger.everywhere();
    assert.ok(call);
    await ledger.allowWhen(call, { kind: 'exactArguments', arguments: '{}' }, 'workspace');
    const again = lifetime().add(new Ledger({ ...options, storage: await open('permissions.json') }));
    await again.load();
    assert.deepEqual(
      again.everywhere().map(({ answer, rule }) => [answer, rule?.kind]),
      [...Array.from({ length: 4 }, () => ['allow', undefined]), ['allowWhen', 'exactArguments']],
    );
  });

  it('of the record holds as a chain', async () => {
    const lines = new RotatingLines(path.join(storage(), 'audit.jsonl'), { maxBytes: 10 * 1024 * 1024, maxParts: 10 });
    const read = await lines.read();
    await lines.close();
    const audit = await readAudit(read, 'the key stayed in the secret storage', () => Promise.resolve());
    assert.deepEqual([audit.total, audit.verdict.kind, audit.lines.at(-1)?.action], [8, 'unsealed', 'startServer']);
  });

  it('of a conversation is listed and opens whole', async () => {
    const folder = '9226397d848181fd1f399542b2bfbc20';
    const files = lifetime().add(await SharedFolderOnDisk.open(path.join(storage(), 'conversations'), folder, silentLog));
    const shelf = new ConversationShelf(files, folder, storeLimits, systemClock);
    const { entries, unreadable } = await shelf.list();
    assert.deepEqual(
      [entries.map(({ title, messages }) => [title, messages]), unreadable],
      [[['run roll_dice with {"sides": 6, "count": 2}', 4]], []],
    );
    const conversation = await shelf.load(entries[0]?.id ?? '');
    assert.deepEqual(
      conversation?.saved.items.map((item) => (item.kind === 'assistant' ? item.parts.map(({ kind }) => kind) : item.kind)),
      ['user', ['text', 'toolCall', 'text'], 'user', ['text']],
    );
  });

  it('of a client token lets its client in', async () => {
    const tokens = lifetime().add(await ClientTokens.open({ storage: await open('clientTokens.json'), log: silentLog }));
    const [token] = tokens.list();
    assert.deepEqual([token?.id, token?.label], ['client-59c87666', 'Claude Code']);
    assert.equal(hashToken('eBtSqfhEFwND0kbQkDNUSc94ILIK5IMYGspShyyXa_0').toString('hex'), token?.sha256);
  });

  it('of runs by hand and of tools of stopped servers is offered again', async () => {
    const common = { clock: systemClock, log: silentLog };
    const runs = lifetime().add(new KeptRuns({ ...common, storage: await open('toolRuns.json'), holdSecret: () => false }));
    const tools = lifetime().add(new KnownTools({ ...common, storage: await open('knownTools.json') }));
    await Promise.all([runs.load(), tools.load()]);
    assert.deepEqual(
      runs.of({ serverId, tool: 'roll_dice' }).runs.map(({ arguments: given, ending }) => [given, ending]),
      [['{"sides":20,"count":1}', 'succeeded']],
    );
    assert.deepEqual(
      tools.of(serverId).map(({ name }) => name),
      ['roll_dice', 'count_words', 'price_of', 'countdown'],
    );
  });

  it('of the name of this installation stays its name', async () => {
    const text = await fs.readFile(path.join(keptFolder, 'globalStorage', 'installation.id'), 'utf8');
    assert.equal(await installationId(storage()), text.trim());
  });

  it('of a window is found by the bridge', async () => {
    const [name = ''] = await fs.readdir(path.join(keptFolder, 'home', 'windows'));
    const window = discoveryFile.parse(JSON.parse(await fs.readFile(path.join(keptFolder, 'home', 'windows', name), 'utf8')));
    assert.deepEqual([window.version, window.workspaceFolders.map((folder) => folder.name)], [1, ['demo']]);
  });
});
