import assert from 'node:assert/strict';
import path from 'node:path';
import type { AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import { ContentReader, type ContentRead } from '../../../../src/host/resources/contentReader.ts';
import { contentOfPrompt } from '../../../../src/host/features/serverContent.ts';
import { createTestHost, type TestHost } from '../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');

describe('Reading a resource or a prompt', () => {
  let host: TestHost;
  let records: AuditRecord[];
  let reader: ContentReader;
  let wished: Pick<ContentRead, 'principal' | 'serverId' | 'signal' | 'recordedAs' | 'decidedBy'>;

  before(async () => {
    host = await createTestHost();
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    const { id } = host.server('scripted');
    const { signal } = new AbortController();
    await host.registry.start(id, { ask: host.ask, signal });
    wished = { principal: 'chat', serverId: id, signal, recordedAs: 'it', decidedBy: 'person' };
  });
  beforeEach(() => {
    records = [];
    const note = (record: AuditRecord): void => void records.push(record);
    const write = async (record: AuditRecord): Promise<void> => {
      await Promise.resolve();
      note(record);
    };
    reader = new ContentReader(host.registry, { note, write });
  });
  after(() => host.close());

  const lines = (): unknown =>
    records.map(({ action, peer, subject, outcome, decidedBy, arguments: args }) => [action, peer, subject, outcome, decidedBy, args]);

  it('gives what the server answers and is on record, before and after', async () => {
    await reader.listed(wished.signal);
    assert.equal(host.server('scripted').resources.length, 2);
    const [resource] = await reader.read({ ...wished, kind: 'resource', uri: 'test://first' });
    assert.deepEqual([resource?.kind, resource?.name], ['text', 'test://first']);
    const prompt = await reader.read({ ...wished, kind: 'prompt', name: 'first', arguments: { who: 'Ada' } });
    assert.deepEqual(prompt, [{ role: 'user', kind: 'text', name: '', text: 'Hello Ada' }]);
    assert.deepEqual(lines(), [
      ['readResource', 'scripted', 'it', 'started', 'person', undefined],
      ['readResource', 'scripted', 'it', 'succeeded', 'person', undefined],
      ['getPrompt', 'scripted', 'it', 'started', 'person', { who: 'Ada' }],
      ['getPrompt', 'scripted', 'it', 'succeeded', 'person', { who: 'Ada' }],
    ]);
  });

  it('that nobody was asked about is not on record as the person’s, and as a sum', async () => {
    const [again] = await reader.refreshResource({ ...wished, uri: 'test://first' });
    assert.equal(again?.uri, 'test://first');
    assert.deepEqual(lines(), [], 'a server could push the rest out');
    reader.noteRefreshes(wished, { times: 12, failed: 0 });
    reader.noteRefreshes(wished, { times: 3, failed: 2 });
    reader.noteRefreshes(wished, { times: 2, failed: 2 });
    assert.deepEqual(lines(), [
      ['readResource', 'scripted', 'it again, 12 times', 'succeeded', 'nobody', undefined],
      ['readResource', 'scripted', 'it again, 3 times, of which 2 failed', 'succeeded', 'nobody', undefined],
      ['readResource', 'scripted', 'it again, 2 times, of which 2 failed', 'failed', 'nobody', undefined],
    ]);
  });

  it('that fails or is cancelled is on record as that', async () => {
    const stopped = AbortSignal.abort();
    await assert.rejects(reader.read({ ...wished, kind: 'resource', uri: 'test://first', signal: stopped }));
    await assert.rejects(reader.read({ ...wished, kind: 'prompt', name: 'first', arguments: {}, serverId: 'workspace:gone' }), {
      code: 'host.unknownServer',
    });
    assert.deepEqual(
      records.map(({ outcome }) => outcome),
      ['started', 'cancelled', 'failed'],
    );
  });

  it('does not happen where it cannot be written down', async () => {
    const before = host.logged.length;
    const refusing = new ContentReader(host.registry, {
      note: () => undefined,
      write: () => Promise.reject(new Error('The disk is full.')),
    });
    await assert.rejects(refusing.read({ ...wished, kind: 'resource', uri: 'test://first' }), /The disk is full/);
    assert.equal(host.logged.length, before);
  });

  it('knows the server by what the person approved', () => {
    assert.notEqual(reader.identityOf(wished.serverId), '');
    assert.equal(reader.identityOf('workspace:gone'), '');
  });

  it('takes of a prompt what the server sent, and leaves a link a link', () => {
    const content = contentOfPrompt([
      { role: 'user', content: { type: 'resource', resource: { uri: 'file:///a', text: 'sent' } } },
      { role: 'assistant', content: { type: 'resource_link', uri: 'file:///etc/passwd', name: 'x' } },
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'aGk=' } },
      { role: 'user', content: { type: 'hologram', depth: 3 } },
    ]);
    assert.deepEqual(content, [
      { role: 'user', kind: 'text', name: 'file:///a', text: 'sent' },
      { role: 'assistant', kind: 'link', name: 'x', uri: 'file:///etc/passwd' },
      { role: 'user', kind: 'blob', name: '', mimeType: 'image/png', data: 'aGk=' },
      { role: 'user', kind: 'text', name: '', text: '{\n  "type": "hologram",\n  "depth": 3\n}' },
    ]);
  });
});
