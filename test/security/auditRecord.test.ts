import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { TextInMemory } from '../../src/base/sharedStorage.ts';
import type { AuditLine } from '../../src/consent/audit/auditLine.ts';
import { AuditLog } from '../../src/consent/audit/auditLog.ts';
import { type ChainVerdict, readAudit } from '../../src/consent/audit/auditReading.ts';
import { RotatingLines } from '../../src/platform/files/rotatingLines.ts';
import { asksItself, onlyLooking, toolRisk } from '../../src/server/offer/tools/toolRisk.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, textOf, type TestHost } from '../unit/host/support.ts';
import { Person } from '../unit/server/support/person.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const secret = 'correct horse battery staple';

describe('The record of what is decided and done', () => {
  let folder: string;
  let file: string;
  let lines: RotatingLines;
  let audit: AuditLog;
  let failures: number;

  beforeEach(() => {
    folder = createTemporaryFolder();
    file = path.join(folder, 'audit.jsonl');
    lines = new RotatingLines(file, { maxBytes: 1_000_000, maxParts: 3 });
    failures = 0;
    const key = (): Promise<string> => Promise.resolve('key');
    audit = new AuditLog({ storage: lines, key, clock: systemClock, onFailure: () => (failures += 1) });
  });
  afterEach(async () => {
    await audit.flush();
    await removeTemporaryFolder(folder);
  });

  const written = async (): Promise<AuditLine[]> => {
    await audit.flush();
    const texts = (await fs.readFile(file, 'utf8')).trimEnd().split('\n');
    return texts.map((text) => JSON.parse(text) as AuditLine);
  };
  const shortly = (all: readonly AuditLine[]): string[] =>
    all.map(({ principal, peer, action, subject, decidedBy, outcome }) => [principal, peer, action, subject, decidedBy, outcome].join('|'));
  const verdict = async (): Promise<ChainVerdict> => (await readAudit(await lines.read(), 'key', () => Promise.resolve())).verdict;
  /** The file becomes a folder: nothing can be appended, whoever asks. */
  const lock = async (): Promise<void> => {
    await fs.rm(file, { force: true });
    await fs.mkdir(file);
  };

  describe('of the host', () => {
    let host: TestHost;
    beforeEach(async () => {
      host = await createTestHost({ audit });
    });
    afterEach(() => host.close());

    it('has every start, every decision and every call, with names and a hash of arguments and none of their values', async () => {
      await host.startScripted();
      host.answer = () => 'allowSession';
      textOf(await host.call('echo', { text: secret }));
      textOf(await host.call('echo', { text: secret }, { principal: 'palette' }));
      await host.call('echo', { text: secret });
      host.answer = () => 'deny';
      await host.call('echo', { text: secret }, { principal: 'command' });
      const all = await written();
      assert.deepEqual(shortly(all), [
        'host|scripted|startServer||person|allowed',
        'host|scripted|startServer||remembered|allowed', // of the program that was found once it was allowed to look
        'chat|scripted|callTool|echo|person|allowed',
        'chat|scripted|callTool|echo|person|succeeded',
        'palette|scripted|callTool|echo|person|allowed',
        'palette|scripted|callTool|echo|person|succeeded',
        'chat|scripted|callTool|echo|remembered|allowed',
        'chat|scripted|callTool|echo|remembered|succeeded',
        'command|scripted|callTool|echo|person|denied',
      ]);
      const calls = all.filter(({ outcome }) => outcome === 'succeeded');
      assert.deepEqual(new Set(calls.map(({ argumentNames }) => argumentNames.join())), new Set(['text']));
      assert.equal(new Set(calls.map(({ argumentsHash }) => argumentsHash)).size, 1);
      assert.equal((await fs.readFile(file, 'utf8')).includes('horse'), false);
      assert.deepEqual(await verdict(), { kind: 'holds', count: 9 });
    });

    it('that cannot be written lets nothing start and nothing be called, and says why', async () => {
      await host.startScripted();
      await audit.flush();
      await lock();
      const outcome = await host.call('echo', { text: 'hello' });
      assert.equal(outcome.kind === 'failed' && outcome.error.code, 'audit.notWritten');
      await host.registry.stopAll();
      const started = await host.startScripted();
      assert.notEqual(started.state.kind, 'ready');
      assert.equal(failures, 1);
    });
  });

  describe('of the editor’s server', () => {
    let person: Person;
    let running: RunningServer;
    beforeEach(async () => {
      person = new Person(new TextInMemory(), 'here', audit);
      running = await runServer({ person: person.approval, records: audit });
    });
    afterEach(async () => {
      await running.close();
      person.dispose();
    });

    it('has who was let in, what was called, read and refused', async () => {
      const peer = running.peer(running.otherToken());
      await peer.initialize();
      const calling = peer.callTool('read_file', { path: 'src/a.ts' });
      await person.untilAsked();
      person.answer('allowSession', 'reader');
      await calling;
      await peer.request('resources/read', { uri: 'workspace://folders' });
      const editing = peer.callTool('propose_edit', { path: 'src/a.ts', newText: secret });
      await person.untilAsked();
      person.answer('deny');
      await editing;
      const all = await written();
      assert.deepEqual(
        all.map(({ principal, action, subject, decidedBy, outcome }) => [principal, action, subject, decidedBy, outcome].join('|')),
        [
          'client:client-1|connectClient||person|allowed',
          'client:client-1|callTool|read_file|role|succeeded',
          'client:client-1|readResource|workspace:|role|succeeded',
          'client:client-1|clientAct|propose_edit|person|denied',
          'client:client-1|callTool|propose_edit|person|denied',
        ],
      );
      assert.equal((await fs.readFile(file, 'utf8')).includes('horse'), false);
    });

    it('has no command line and no id of a session in it, whoever decides about them', async () => {
      const peer = running.peer();
      await peer.initialize();
      const calling = peer.callTool('run_terminal_command', { command: `echo ${secret}` });
      await person.untilAsked();
      person.answer('allowSession', 'runner');
      await person.untilAsked();
      person.answer('allowOnce');
      await calling;
      const text = JSON.stringify(await written());
      assert.match(text, /"clientAct"/);
      assert.equal(text.includes('horse'), false);
      assert.ok(peer.sessionId !== undefined && !text.includes(peer.sessionId));
    });

    it('has the raised role, and what was decided about a change, as the person’s own decision', async () => {
      const peer = running.peer(running.otherToken());
      await peer.initialize();
      const calling = peer.callTool('read_file', { path: 'src/a.ts' });
      await person.untilAsked();
      person.answer('allowSession', 'reader');
      await calling;
      running.editor.acting.fileReview = { ...running.editor.acting.fileReview, outcome: 'rejected' };
      const editing = peer.callTool('propose_edit', { path: 'src/a.ts', newText: 'x' });
      await person.untilAsked();
      person.answer('raiseRole');
      await editing;
      const decided = (await written()).slice(2);
      assert.deepEqual(
        decided.map(({ action, subject, decidedBy, outcome }) => [action, subject, decidedBy, outcome].join('|')),
        [
          'raiseRole|propose_edit|person|allowed',
          'callTool|propose_edit|nobody|started',
          'reviewChange|propose_edit|person|denied',
          'callTool|propose_edit|person|denied',
        ],
      );
    });

    it('that cannot be written lets no client act, and reading goes on', async () => {
      const peer = running.peer(running.otherToken());
      await peer.initialize();
      const calling = peer.callTool('read_file', { path: 'src/a.ts' });
      await person.untilAsked();
      person.answer('allowSession', 'editor');
      await calling;
      await audit.flush();
      await lock();
      const refused = await peer.callTool('propose_edit', { path: 'src/a.ts', newText: 'x' });
      assert.match(JSON.stringify(refused.json), /cannot write its audit log/);
      assert.deepEqual(running.editor.acting.done, []);
      const read = await peer.callTool('read_file', { path: 'src/a.ts' });
      assert.doesNotMatch(JSON.stringify(read.json), /isError/);
    });
  });

  describe('of the chat and the editor', () => {
    let person: Person;
    let running: RunningServer;
    let host: TestHost;
    let serverId: string;
    beforeEach(async () => {
      person = new Person(new TextInMemory(), 'here', audit);
      running = await runServer({ person: person.approval, records: audit });
      host = await createTestHost({ audit });
      serverId = host.registry.addBuiltIn({
        name: 'editor',
        openTransport: () => Promise.resolve(running.server.connectInMemory()),
        riskOf: toolRisk,
        ownQuestions: { calls: person.ownCalls, asksItself, onlyLooking },
      });
      await host.registry.startApproved();
    });
    afterEach(async () => {
      await host.close();
      await running.close();
      person.dispose();
    });

    it('has the acts of the chat in the editor once, and refuses them when it cannot be written', async () => {
      host.answer = () => 'allowOnce';
      await host.call('save_file', { path: 'src/a.ts' }, { serverId });
      await host.call('propose_edit', { path: 'src/a.ts', newText: 'x' }, { serverId });
      const all = await written();
      assert.deepEqual(shortly(all.filter(({ subject }) => subject.startsWith('save_file'))), [
        'chat|editor|callTool|save_file|nobody|started',
        'chat|editor|ownAct|save_file|person|allowed',
        'chat|editor|callTool|save_file|nobody|succeeded',
      ]);
      assert.deepEqual(shortly(all.filter(({ subject }) => subject === 'propose_edit')), [
        'chat|editor|callTool|propose_edit|nobody|started',
        'chat|editor|reviewChange|propose_edit|person|allowed',
        'chat|editor|callTool|propose_edit|nobody|succeeded',
      ]);
      running.editor.acting.done.length = 0;
      await lock();
      const outcome = await host.call('propose_edit', { path: 'src/a.ts', newText: 'x' }, { serverId });
      assert.equal(outcome.kind === 'failed' && outcome.error.code, 'audit.notWritten');
      assert.deepEqual(running.editor.acting.done, []);
    });

    it('has what the chat reads of the editor as one question and its calls, and reading goes on when it cannot be written', async () => {
      host.answer = () => 'allowSession';
      await host.call('list_open_editors', {}, { serverId });
      await host.call('read_file', { path: 'src/a.ts' }, { serverId });
      assert.deepEqual(shortly(await written()), [
        'chat|editor|seeEditor|list_open_editors|person|allowed',
        'chat|editor|callTool|list_open_editors|person|succeeded',
        'chat|editor|seeEditor|read_file|remembered|allowed',
        'chat|editor|callTool|read_file|remembered|succeeded',
      ]);
      await lock();
      assert.equal((await host.call('list_open_editors', {}, { serverId })).kind, 'result');
    });

    for (const choice of ['allowSession', 'allowWorkspace', 'allowAlways'] as const) {
      it(`that cannot be written lets the chat read on after one ${choice}, stores no permission, and has the answer later`, async () => {
        host.answer = () => choice;
        await lock();
        const calls = ['list_open_editors', 'list_open_editors', 'read_file'];
        for (const tool of calls) {
          assert.equal((await host.call(tool, tool === 'read_file' ? { path: 'src/a.ts' } : {}, { serverId })).kind, 'result', tool);
        }
        assert.equal(host.asked.length, 1);
        assert.deepEqual(
          host.ledger.answers().map(({ action, answer, scope }) => [action, answer, scope]),
          [['seeEditor', 'allow', 'session']],
        );
        const acted = await host.call('propose_edit', { path: 'src/a.ts', newText: 'x' }, { serverId });
        assert.equal(acted.kind === 'failed' && acted.error.code, 'audit.notWritten');
        await fs.rmdir(file);
        await host.call('list_open_editors', {}, { serverId });
        assert.deepEqual(shortly((await written()).filter(({ action, decidedBy }) => action === 'seeEditor' && decidedBy === 'person')), [
          'chat|editor|seeEditor|list_open_editors|person|allowed',
        ]);
        assert.equal(host.asked.length, 1);
      });
    }

    it('that cannot be written lets a refusal to read the editor stand', async () => {
      host.answer = () => 'denyAlways';
      await lock();
      assert.equal((await host.call('list_open_editors', {}, { serverId })).kind, 'denied');
      host.answer = () => 'allowSession';
      assert.equal((await host.call('list_open_editors', {}, { serverId })).kind, 'denied');
      assert.equal(host.asked.length, 1);
    });
  });

  it('has an answer for all tools of a server, which is not given when it cannot be written', async () => {
    const host = await createTestHost({ audit });
    try {
      await host.startScripted();
      host.answer = () => ({ choice: 'allowAlways', allTools: true });
      await lock();
      const outcome = await host.call('structured');
      assert.equal(outcome.kind === 'failed' && outcome.error.code, 'audit.notWritten');
      assert.deepEqual(
        host.ledger.answers().filter(({ action }) => action === 'callTool'),
        [],
      );
    } finally {
      await host.close();
    }
  });

  it('tells which line somebody changed by hand', async () => {
    for (const subject of ['one', 'two', 'three']) {
      await audit.write({ principal: 'chat', peer: 'demo', action: 'callTool', subject, decidedBy: 'person', outcome: 'allowed' });
    }
    const text = await fs.readFile(file, 'utf8');
    await fs.writeFile(file, text.replace('"two"', '"2"'));
    assert.deepEqual(await verdict(), { kind: 'broken', part: 'audit.jsonl', number: 2 });
    await fs.writeFile(file, text.replace('"three"', '"3"'));
    assert.deepEqual(await verdict(), { kind: 'broken', part: 'audit.jsonl', number: 3 });
    await fs.writeFile(file, text);
    assert.deepEqual(await verdict(), { kind: 'holds', count: 3 });
  });
});
