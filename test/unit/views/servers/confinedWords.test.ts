import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import { recordDecision } from '../../../../src/consent/audit/decisionRecords.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { BoxInfo, ServerSnapshot } from '../../../../src/host/shared/serverState.ts';
import { auditWords } from '../../../../src/views/audit/auditWords.ts';
import type { describeServer } from '../../../../src/views/servers/serverDescription.ts';
import type { lensesFor } from '../../../../src/views/servers/files/serverLenses.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly describeServer: typeof describeServer;
  readonly lensesFor: typeof lensesFor;
}

const program = `
  export { describeServer } from './src/views/servers/serverDescription.ts';
  export { lensesFor } from './src/views/servers/files/serverLenses.ts';`;
const filled = (text: string, ...args: readonly unknown[]): string => text.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)]));
const editor = `
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const env = { language: 'en' };`;

function confined(box: BoxInfo, isRunning = true): ServerSnapshot {
  const ready = { kind: 'ready', serverName: 'mail', version: '1', protocolVersion: '2025-11-25', capabilities: [] } as const;
  return {
    ...{ id: 'mail', name: 'mail', label: 'mail', scope: 'workspace', location: 'workspace settings', hasInputs: false, box },
    ...{ tools: [], prompts: [], resources: [], templates: [], skills: [], problems: [] },
    state: isRunning ? ready : { kind: 'stopped', reason: 'byUser' },
  };
}

describe('A confined server', function () {
  this.timeout(60_000);
  let loaded: Program;
  const open: BoxInfo = { read: ['/code'], write: ['/code/out'], hosts: ['api.example'], wanted: [] };
  const closed: BoxInfo = { read: ['/code'], write: [], hosts: [], wanted: ['api.example', 'cdn.example'] };

  before(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
  });

  it('is called so in its row, and by the hosts that it wanted', () => {
    assert.deepEqual(
      [open, closed].map((box) => loaded.describeServer(confined(box)).text),
      ['0 tools, confined', '0 tools, confined, wanted api.example and 1 more'],
    );
    assert.deepEqual(
      [open, closed].map((box) => loaded.describeServer(confined(box)).abilities.includes('wantsHost')),
      [false, true],
    );
  });

  it('says how far it reaches in what the hover and the doctor tell', () => {
    const facts = [open, closed].map((box) => loaded.describeServer(confined(box)).facts.join(' '));
    assert.match(facts[0] ?? '', /Confined\. It reads: \/code\. It changes: \/code\/out\. It reaches: api\.example\./);
    assert.match(facts[1] ?? '', /It changes: nothing\. It reaches: no network\. It wanted to reach api\.example, cdn\.example/);
  });

  it('has a lens that says so, and one for what it wanted', () => {
    const titles = (box: BoxInfo): readonly string[] => loaded.lensesFor(confined(box)).map(({ title }) => title);
    assert.ok(titles(open).includes('0 tools · confined'), titles(open).join());
    assert.ok(titles(closed).includes('wanted api.example: allow?'), titles(closed).join());
  });

  it('stands in the audit as confined, with the hosts that it was allowed', async () => {
    const written: AuditRecord[] = [];
    const log = { write: (record: AuditRecord) => Promise.resolve(void written.push(record)), note: () => undefined };
    for (const material of [{}, { confined: { network: [] } }, { confined: { network: ['api.example', 'localhost:3000'] } }]) {
      const request = { principal: 'host', action: 'startServer', subject: ['server', 'mail'], material: material as JsonObject } as const;
      await recordDecision(log, { request, outcome: 'allowed', by: 'person' });
    }
    const words = ['confined', ...written.map(({ subject }) => subject)].map(
      (subject) =>
        auditWords({ principal: 'host', action: 'startServer', subject } as Parameters<typeof auditWords>[0], filled, new Map()).what,
    );
    assert.deepEqual(words, [
      'Start the server, confined',
      'Start the server',
      'Start the server, confined, without a network',
      'Start the server, confined, with a way to api.example, localhost:3000',
    ]);
  });
});
