import assert from 'node:assert/strict';
import path from 'node:path';
import { AuditLog, type AuditRecord } from '../../../../../src/consent/audit/auditLog.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import type { SamplingRequest } from '../../../../../src/contract/chat/samplingModel.ts';
import { modelSaying } from './samplingSupport.ts';
import { createTestHost, textOf, type TestHost } from '../../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../../fixtures/servers/featuresServer.mjs');

/** Keeps what it is told, and fails where it is told to. */
class RecordInMemory extends AuditLog {
  readonly records: AuditRecord[] = [];
  isBroken = false;

  constructor() {
    super({
      storage: { append: () => Promise.resolve() },
      key: () => Promise.resolve('key'),
      clock: systemClock,
      onFailure: () => undefined,
    });
  }

  override write(record: AuditRecord): Promise<void> {
    if (this.isBroken && record.action === 'useModel') {
      return Promise.reject(new Error('The audit log cannot be written.'));
    }
    this.records.push(record);
    return Promise.resolve();
  }

  override note(record: AuditRecord): void {
    this.records.push(record);
  }
}

describe('The record of a request for the model', () => {
  let host: TestHost;
  let record: RecordInMemory;
  let completed: SamplingRequest[];

  beforeEach(async () => {
    record = new RecordInMemory();
    completed = [];
    host = await createTestHost({
      audit: record,
      features: {
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: modelSaying('A quiet answer.', completed),
        openExternal: () => Promise.resolve(),
      },
    });
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    await host.registry.start(host.server('scripted').id, { ask: host.ask, signal: new AbortController().signal });
  });
  afterEach(async () => {
    await host.close();
    record.dispose();
  });

  const ask = async (): Promise<string> => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'A quiet prompt.' } }], maxTokens: 10 };
    return textOf(await host.call('ask', { method: 'sampling/createMessage', params }));
  };

  it('has a line for each decision and for each use, and none of the words', async () => {
    await ask();
    await ask();
    assert.deepEqual(
      record.records
        .filter(({ action }) => action === 'useModel' || action === 'returnAnswer')
        .map(({ principal, peer, action, subject, decidedBy, outcome }) => [principal, peer, action, subject, decidedBy, outcome]),
      [
        ['host', 'scripted', 'useModel', '', 'person', 'allowed'],
        ['host', 'scripted', 'useModel', 'model-1', 'person', 'succeeded'],
        ['host', 'scripted', 'returnAnswer', '', 'person', 'allowed'],
        ['host', 'scripted', 'useModel', '', 'remembered', 'allowed'],
        ['host', 'scripted', 'useModel', 'model-1', 'remembered', 'succeeded'],
      ],
    );
    const lines = JSON.stringify(record.records.filter(({ action }) => action !== 'callTool'));
    assert.doesNotMatch(lines, /quiet/);
  });

  it('is needed: where it cannot be written, nothing reaches the model', async () => {
    record.isBroken = true;
    assert.match(await ask(), /audit log cannot be written/);
    assert.deepEqual(completed, []);
  });
});
