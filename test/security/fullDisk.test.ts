import assert from 'node:assert/strict';
import { TextInMemory } from '../../src/base/sharedStorage.ts';
import { AuditLog, type AuditStorage } from '../../src/consent/audit/auditLog.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { createTestHost } from '../unit/host/support.ts';
import { OauthClient } from '../unit/server/oauth/oauthClient.ts';
import { Person } from '../unit/server/support/person.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

/** What a system says when its disk is full. */
function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write '/home/somebody/storage/audit.jsonl'"), { code: 'ENOSPC' });
}

/** Stands for a disk that is full until somebody makes room. */
class Disk {
  isFull = false;
  #last: string | undefined;

  readonly lines: AuditStorage = {
    append: async (make) => {
      this.demandRoom();
      this.#last = make(this.#last).lines.at(-1);
    },
  };

  demandRoom(): void {
    if (this.isFull) {
      throw noSpace();
    }
  }
}

class TextOnDisk extends TextInMemory {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    super();
    this.#disk = disk;
  }

  override async modify(change: (current: string | undefined) => string): Promise<void> {
    this.#disk.demandRoom();
    await super.modify(change);
  }
}

describe('A full disk', () => {
  let recordDisk: Disk;
  let answerDisk: Disk;
  let clock: FakeClock;
  let audit: AuditLog;
  let person: Person;
  let running: RunningServer;
  let asked: number;

  beforeEach(async () => {
    recordDisk = new Disk();
    answerDisk = new Disk();
    clock = new FakeClock();
    audit = new AuditLog({ storage: recordDisk.lines, key: () => 'key', clock, onFailure: () => undefined });
    person = new Person(new TextOnDisk(answerDisk), 'here', audit);
    running = await runServer({ person: person.approval, records: audit });
    asked = 0;
  });
  afterEach(async () => {
    recordDisk.isFull = false;
    await audit.flush();
    await running.close();
    person.dispose();
  });

  const answerNext = async (...answer: Parameters<Person['answer']>): Promise<void> => {
    await person.untilAsked();
    asked += 1;
    person.answer(...answer);
  };

  it('is what a client is told that the person let in, and nobody is asked again until there is room', async () => {
    recordDisk.isFull = true;
    const peer = running.peer(running.otherToken());
    await peer.initialize();
    const first = peer.callTool('read_file', { path: 'src/a.ts' });
    await answerNext('allowSession', 'reader');
    const told = JSON.stringify((await first).json);
    assert.match(told, /cannot write its audit log \(ENOSPC\)/);
    assert.doesNotMatch(told, /waiting for approval|somebody/, 'the client learns no path and does not repeat the call for an answer');

    const second = JSON.stringify((await peer.callTool('read_file', { path: 'src/a.ts' })).json);
    assert.match(second, /cannot write its audit log/);
    const read = JSON.stringify((await peer.request('resources/read', { uri: 'workspace://folders' })).json);
    assert.match(read, /-32603.*cannot write its audit log/);
    assert.equal(person.isAsked, false);

    recordDisk.isFull = false;
    clock.advance(1_000);
    const third = peer.callTool('read_file', { path: 'src/a.ts' });
    await answerNext('allowSession', 'reader');
    assert.doesNotMatch(JSON.stringify((await third).json), /isError/);
    assert.equal(asked, 2);
  });

  it('is what a program is told that signs in by browser, after one question', async () => {
    recordDisk.isFull = true;
    const client = new OauthClient(running.port);
    await client.register();
    const { location } = await client.obtainCode(() => answerNext('allowSession', 'reader'));
    assert.match(location.searchParams.get('error_description') ?? '', /cannot write its audit log \(ENOSPC\)/);
    await client.obtainCode(() => undefined);
    assert.deepEqual([asked, person.isAsked], [1, false]);
    client.close();
  });

  it('asks nothing about a role that it could not record, and lets a client that is in read on', async () => {
    const peer = running.peer(running.otherToken());
    await peer.initialize();
    const first = peer.callTool('read_file', { path: 'src/a.ts' });
    await answerNext('allowSession', 'reader');
    await first;
    recordDisk.isFull = true;
    const edit = { path: 'src/a.ts', newText: 'x' };
    const editing = peer.callTool('propose_edit', edit);
    await answerNext('raiseRole');
    assert.match(JSON.stringify((await editing).json), /cannot write its audit log/);
    assert.match(JSON.stringify((await peer.callTool('propose_edit', edit)).json), /cannot write its audit log/);
    assert.equal(person.isAsked, false);
    assert.deepEqual(running.editor.acting.done, []);
    assert.doesNotMatch(JSON.stringify((await peer.callTool('read_file', { path: 'src/a.ts' })).json), /isError/);
  });

  for (const choice of ['allowAlways', 'denyAlways'] as const) {
    it(`that cannot keep “${choice}” lets the answer hold in this window instead of asking again`, async () => {
      answerDisk.isFull = true;
      const peer = running.peer(running.otherToken());
      await peer.initialize();
      const first = peer.callTool('read_file', { path: 'src/a.ts' });
      await answerNext(choice, 'reader');
      const answers = [await first, await peer.callTool('read_file', { path: 'src/a.ts' })].map(({ json }) => JSON.stringify(json));
      for (const answer of answers) {
        assert.equal(/denied by the person/.test(answer), choice === 'denyAlways', answer);
        assert.equal(/isError/.test(answer), choice === 'denyAlways', answer);
      }
      assert.equal(person.isAsked, false);
      assert.deepEqual(
        person.ledger.everywhere().map(({ scope }) => scope),
        ['session'],
      );
      assert.equal(person.unkept.length, 1);
    });
  }

  it('asks the person once about a tool of a server, not at every call', async () => {
    const host = await createTestHost({ audit });
    try {
      await host.startScripted();
      host.answer = () => 'allowSession';
      host.asked.length = 0;
      recordDisk.isFull = true;
      for (let call = 0; call < 3; call += 1) {
        const outcome = await host.call('echo', { text: 'hello' });
        assert.equal(outcome.kind === 'failed' && outcome.error.code, 'audit.notWritten');
      }
      assert.equal(host.asked.length, 1);
      recordDisk.isFull = false;
      clock.advance(1_000);
      assert.equal((await host.call('echo', { text: 'hello' })).kind, 'result');
    } finally {
      await host.close();
    }
  });
});
