import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { AuditLog, AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import type { RunPress } from '../../../../src/consent/consentModel.ts';
import { argumentsShown } from '../../../../src/host/tools/toolCaller.ts';
import { hostWithEditor, type HostWithEditor } from '../hostWithEditor.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';

const args = { text: 'as shown' };

describe('Run, pressed below what it runs', () => {
  let host: TestHost;
  let records: AuditRecord[];
  let isFull: boolean;
  beforeEach(async () => {
    records = [];
    isFull = false;
    const note = (record: AuditRecord): void => void records.push(record);
    const write = async (record: AuditRecord): Promise<void> => (isFull ? assert.fail('the disk is full') : note(record));
    const audit = { write, note, demandWritable: () => undefined } as unknown as AuditLog;
    host = await createTestHost({ audit });
    await host.startScripted();
    host.asked.length = 0;
    records.length = 0;
    host.answer = () => 'deny';
  });
  afterEach(() => host.close());

  /** A press with the definition as it is shown now. */
  const pressOn = (shown: JsonObject, tool = 'echo'): RunPress => {
    const definition = host.caller.definitionFor('palette', { serverId: host.server('scripted').id, tool });
    assert.ok(definition);
    return { definition: definition.fingerprint, arguments: argumentsShown(shown) };
  };
  const run = (given: JsonObject, press: RunPress | undefined): ReturnType<TestHost['call']> =>
    host.call('echo', given, { principal: 'palette', asker: { kind: 'person' }, destination: undefined, press });

  it('is the permission: nobody is asked, and the record says that the person decided', async () => {
    assert.equal(textOf(await run(args, pressOn(args))), 'as shown');
    assert.deepEqual(host.asked, []);
    assert.deepEqual(
      records.map(({ principal, action, subject, decidedBy, outcome }) => [principal, action, subject, decidedBy, outcome]),
      [
        ['palette', 'callTool', 'echo', 'person', 'allowed'],
        ['palette', 'callTool', 'echo', 'person', 'succeeded'],
      ],
    );
  });

  it('counts once: nothing is remembered but that the definition was read', async () => {
    const answers = host.ledger.answers();
    await run(args, pressOn(args));
    assert.deepEqual(host.ledger.answers(), answers);
    assert.equal((await run(args, undefined)).kind, 'denied');
    assert.deepEqual(
      host.asked.map(({ detail, isRead }) => [detail.kind, isRead]),
      [['callTool', true]],
    );
  });

  it('covers no other arguments than were shown', async () => {
    assert.equal((await run({ text: 'another' }, pressOn(args))).kind, 'denied');
    assert.equal(host.asked.length, 1);
  });

  it('covers no definition that came after it was pressed', async () => {
    const press = pressOn(args);
    await host.call('change_echo', { to: 'Sends it elsewhere.' }, { ask: async ({ askId }) => ({ askId, choice: 'allowOnce' }) });
    await host.until(() => pressOn(args).definition !== press.definition, 'the other definition');
    assert.equal((await run(args, press)).kind, 'denied');
    assert.equal(host.asked.length, 1);
  });

  it('does not stand for the difference to what was allowed: that is asked about and shown', async () => {
    host.answer = () => 'allowAlways';
    await run(args, undefined);
    host.asked.length = 0;
    host.answer = () => 'deny';
    const before = pressOn(args).definition;
    await host.call('change_echo', { to: 'Sends it elsewhere.' }, { ask: async ({ askId }) => ({ askId, choice: 'allowOnce' }) });
    await host.until(() => pressOn(args).definition !== before, 'the other definition');
    assert.equal((await run(args, pressOn(args))).kind, 'denied');
    assert.deepEqual(
      host.asked.map(({ why, differences }) => [why, differences.map(({ field }) => field)]),
      [['changed', ['description']]],
    );
  });

  it('is refused where the tool is refused for good', async () => {
    host.answer = () => 'denyAlways';
    await run(args, undefined);
    host.asked.length = 0;
    assert.deepEqual(await run(args, pressOn(args)), { kind: 'denied', by: 'ledger' });
    assert.deepEqual(host.asked, []);
  });

  for (const [who, principal] of [
    ['“Send again”', 'traffic'],
    ['a caller of duplex.runTool', 'command'],
    ['a task', 'task'],
    ['the chat', 'chat'],
  ] as const) {
    it(`is no permission for ${who}, which is asked about`, async () => {
      const outcome = await host.call('echo', args, { principal, asker: { kind: 'person' }, press: pressOn(args) });
      assert.deepEqual([outcome.kind, host.asked.length], ['denied', 1]);
    });
  }

  it('runs nothing that could not be recorded', async () => {
    isFull = true;
    assert.equal((await run(args, pressOn(args))).kind, 'failed');
  });
});

describe('Run, pressed for a tool of the editor', () => {
  let host: TestHost;
  let serverId: string;
  let close: HostWithEditor['close'];
  beforeEach(async () => {
    ({ host, serverId, close } = await hostWithEditor());
    host.answer = () => 'deny';
  });
  afterEach(() => close());

  it('is the permission to look', async () => {
    const shown = host.caller.definitionFor('palette', { serverId, tool: 'list_open_editors' });
    assert.ok(shown);
    const press = { definition: shown.fingerprint, arguments: argumentsShown({}) };
    const outcome = await host.call('list_open_editors', {}, { serverId, principal: 'palette', asker: { kind: 'person' }, press });
    assert.deepEqual([outcome.kind, host.asked.length], ['result', 0]);
  });

  for (const [tool, given] of [
    ['run_tests', { wait: false }],
    ['run_task', { name: 'build', wait: false }],
    ['run_terminal_command', { command: 'make' }],
    ['save_file', { path: 'src/a.ts' }],
  ] as const) {
    it(`is no permission for ${tool}, which asks about what it would do`, async () => {
      assert.equal(host.caller.definitionFor('palette', { serverId, tool }), undefined, 'the tab says so');
      const press = { definition: 'any', arguments: argumentsShown(given) };
      const outcome = await host.call(tool, given, { serverId, principal: 'palette', asker: { kind: 'person' }, press });
      assert.deepEqual([outcome.kind, host.asked.map(({ detail }) => detail.kind)], ['denied', ['ownAct']]);
    });
  }
});
