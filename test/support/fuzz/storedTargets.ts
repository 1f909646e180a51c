import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { isAppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { SharedFolderInMemory, TextInMemory } from '../../../src/base/sharedStorage.ts';
import { ConversationShelf } from '../../../src/chat/store/conversationShelf.ts';
import { storeLimits } from '../../../src/chat/store/storeLimits.ts';
import { readAudit } from '../../../src/consent/audit/auditReading.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import { discoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { KeptRuns } from '../../../src/host/byHand/keptRuns.ts';
import { KnownTools } from '../../../src/host/byHand/knownTools.ts';
import { ClientTokens } from '../../../src/server/access/clientTokens.ts';
import { repositoryRoot } from '../run/repository.mjs';
import { changedText } from './arbitraries.ts';
import { type Target, target } from './target.ts';

const kept = path.join(repositoryRoot, 'test', 'fixtures', 'kept', '0.1.0');
const read = (...names: string[]): string => readFileSync(path.join(kept, ...names), 'utf8');
const onlyIn = (...names: string[]): string => {
  const [name = ''] = readdirSync(path.join(kept, ...names));
  return read(...names, name);
};

async function holding(text: string): Promise<TextInMemory> {
  const storage = new TextInMemory();
  await storage.modify(() => text);
  return storage;
}

const request = { principal: 'chat', action: 'callTool', subject: ['server', 'x'], fingerprint: 'f', material: {} } as const;

const permissions = target('stored permissions', changedText([read('globalStorage', 'permissions.json')]), async (text) => {
  const storage = await holding(text);
  const ledger = new Ledger({ storage, workspace: 'w', now: () => new Date(0), log: silentLog });
  try {
    await ledger.load();
    const before = ledger.everywhere().length;
    await ledger.remember(request, 'deny', 'always');
    assert.equal(ledger.everywhere().length, before + 1, 'a refusal is kept beside what could be read');
  } finally {
    ledger.dispose();
  }
});

const tokens = target('stored client tokens', changedText([read('globalStorage', 'clientTokens.json')]), async (text) => {
  const known = await ClientTokens.open({ storage: await holding(text), log: silentLog });
  assert.ok(known.list().every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
  known.dispose();
});

const runs = target(
  'stored runs and tools',
  changedText([read('globalStorage', 'toolRuns.json'), read('globalStorage', 'knownTools.json')]),
  async (text) => {
    const common = { clock: systemClock, log: silentLog };
    const byHand = new KeptRuns({ ...common, storage: await holding(text), holdSecret: () => false });
    const tools = new KnownTools({ ...common, storage: await holding(text) });
    await Promise.all([byHand.load(), tools.load()]);
    byHand.recent().forEach((key) => byHand.of(key).runs.forEach((run) => void JSON.parse(run.arguments)));
    byHand.dispose();
    tools.dispose();
  },
);

const audit = target('stored audit record', changedText([read('globalStorage', 'audit.jsonl')]), async (text) => {
  const lines = text.split('\n').filter((line) => line !== '');
  const parts = { parts: [{ name: 'audit.jsonl', lines }], seal: read('globalStorage', 'audit.jsonl.seal'), hasAll: true };
  const { total, verdict } = await readAudit(parts, 'key', () => Promise.resolve());
  assert.equal(total, lines.length);
  const original = read('globalStorage', 'audit.jsonl')
    .split('\n')
    .filter((line) => line !== '');
  const isPrefix = lines.every((line, index) => line === original[index]);
  assert.ok(
    isPrefix || verdict.kind === 'broken' || lines.length === 1 || isLastChanged(lines, original),
    `a changed record is ${verdict.kind}`,
  );
});

/** Without the key nobody can tell that the very last line was changed, or lines were added after it; the seal does. */
function isLastChanged(lines: readonly string[], original: readonly string[]): boolean {
  return lines.slice(0, -1).every((line, index) => line === original[index]);
}

const conversationFolder = ['globalStorage', 'conversations', '9226397d848181fd1f399542b2bfbc20'];
const conversations = target(
  'stored conversations',
  changedText([
    onlyIn(...conversationFolder),
    readFileSync(path.join(repositoryRoot, 'test/fixtures/conversations/version1.json'), 'utf8'),
  ]),
  async (text) => {
    const files = new SharedFolderInMemory();
    await files.write('f/a.json', text);
    const shelf = new ConversationShelf(files, 'f', storeLimits, systemClock);
    const { entries } = await shelf.list();
    for (const { id } of entries) {
      await shelf.load(id).catch((error: unknown) => assert.ok(isAppError(error), String(error)));
    }
  },
);

const discovery = target('discovery files', changedText([onlyIn('home', 'windows')]), (text) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const { data } = discoveryFile.safeParse(value);
  assert.ok(data === undefined || Number.isSafeInteger(data.port));
});

export const storedTargets: readonly Target[] = [permissions, tokens, runs, audit, conversations, discovery];
