import assert from 'node:assert/strict';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { createTestHost, MemoryStorage, scriptedServer, type TestHost } from './support.ts';

class UnreadableStorage extends MemoryStorage {
  isUnreadable = false;
  override async read(): Promise<string | undefined> {
    if (this.isUnreadable) {
      throw new Error('EMFILE: too many open files');
    }
    return super.read();
  }
}

const { signal } = new AbortController();

describe('The permission to start a server', () => {
  let host: TestHost;
  let storage: UnreadableStorage;
  let told: string[];
  let listening: { dispose(): void };

  beforeEach(async () => {
    storage = new UnreadableStorage();
    host = await createTestHost({ storage });
    told = [];
    listening = host.registry.onDidRevoke((label) => told.push(label));
    await host.startScripted();
  });
  afterEach(async () => {
    listening.dispose();
    await host.close();
  });

  const allow = (): string => host.ledger.answers().find(({ action }) => action === 'startServer')?.id ?? '';

  it('ends the running server when it is taken back, says so once, and is asked for at the next start', async () => {
    assert.equal(host.server('scripted').state.kind, 'ready');
    await host.ledger.revoke(allow());
    await host.ledger.load();
    await host.until(() => told.length > 0, 'the end');
    assert.deepEqual([host.server('scripted').state, told], [{ kind: 'stopped', reason: 'needsConsent' }, ['scripted']]);
    const questions = host.asked.length;
    await host.registry.startApproved();
    assert.deepEqual(host.server('scripted').state, { kind: 'stopped', reason: 'needsConsent' });
    const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    assert.deepEqual([state.kind, host.asked.length, told.length], ['ready', questions + 1, 1]);
  });

  it('brings the server back that it ended because it could not be read, once it can be', async () => {
    storage.isUnreadable = true;
    await host.ledger.load();
    await host.until(() => told.length > 0, 'the end');
    assert.deepEqual(host.server('scripted').state, { kind: 'stopped', reason: 'needsConsent' });
    const questions = host.asked.length;
    storage.isUnreadable = false;
    await host.ledger.load();
    await host.until(() => host.server('scripted').state.kind === 'ready', 'the new start');
    assert.deepEqual([told, host.asked.length], [['scripted'], questions]);
  });

  it('brings a server of another program’s file back that the person had started, and no other one of that file', async () => {
    const file = { path: '/home/me/claude.json', name: 'Claude' };
    const value = Object.fromEntries(['found', 'left'].map((name) => [name, { command: 'node', args: [scriptedServer, 'normal'] }]));
    await host.registry.apply(readDefinitions([{ scope: 'discovered', file, value, location: 'Claude' }]));
    for (const label of ['found', 'left']) {
      await host.registry.start(host.server(label).id, { ask: host.ask, signal });
    }
    await host.registry.stop(host.server('left').id);
    storage.isUnreadable = true;
    await host.ledger.load();
    await host.until(() => told.includes('found'), 'the end');
    const questions = host.asked.length;
    storage.isUnreadable = false;
    await host.ledger.load();
    await host.until(() => host.server('found').state.kind === 'ready', 'the new start');
    assert.deepEqual([host.server('left').state, host.asked.length], [{ kind: 'stopped', reason: 'byUser' }, questions]);
  });

  it('brings the server back although it is still being stopped by then', async () => {
    storage.isUnreadable = true;
    await host.ledger.load();
    assert.deepEqual([host.server('scripted').state.kind, told], ['ready', []]);
    storage.isUnreadable = false;
    await host.ledger.load();
    await host.until(() => told.length > 0, 'the end');
    await host.until(() => host.server('scripted').state.kind === 'ready', 'the new start');
  });

  it('ends a server that is still starting when it is taken back, which then needs it and was not stopped by the person', async () => {
    await host.configure({ slow: { command: 'node', args: [scriptedServer, 'silent'] } });
    const starting = host.registry.start(host.server('slow').id, { ask: host.ask, signal });
    await host.until(() => host.server('slow').state.kind === 'starting', 'the start');
    await host.ledger.revoke(...host.ledger.answers().map(({ id }) => id));
    await starting;
    await host.until(() => told.includes('slow'), 'the end');
    assert.deepEqual(host.server('slow').state, { kind: 'stopped', reason: 'needsConsent' });
  });

  it('ends the running server when a refusal is stored, and the start then says where to take that back', async () => {
    const [request] = host.ledger.answers();
    assert.ok(request !== undefined);
    await host.ledger.remember(request, 'deny', 'workspace');
    await host.until(() => told.length > 0, 'the end');
    const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    assert.ok(state.kind === 'failed');
    assert.match(state.error.message, /stored answer .*Manage Permissions/);
  });

  it('leaves the server alone when another answer is taken back, or another window allows another folder', async () => {
    await host.configure({
      scripted: { command: 'node', args: [scriptedServer, 'normal'] },
      other: { command: 'node', args: [scriptedServer, 'normal'] },
    });
    await host.registry.start(host.server('other').id, { ask: host.ask, signal });
    const [request, ofOther] = host.ledger.answers();
    assert.ok(request !== undefined && ofOther !== undefined);
    await host.ledger.remember({ ...request, fingerprint: 'elsewhere', material: { cwd: '/elsewhere' } }, 'allow', 'always');
    await host.ledger.revoke(ofOther.id);
    await host.until(() => told.length > 0, 'the end of the other');
    assert.deepEqual([told, host.server('scripted').state.kind], [['other'], 'ready']);
  });
});
