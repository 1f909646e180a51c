import assert from 'node:assert/strict';
import { modernHeaders } from '../support/modernLinks.ts';
import { modern } from '../support/modernRules.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: { readonly mimeType?: string };
}

describe('An image that a tool returns', () => {
  const read = { name: 'read_file', arguments: { path: 'logo.png' } };
  const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' };
  let running: RunningServer;
  before(async () => {
    running = await runServer();
    running.editor.documents.files.set('logo.png', { text: '', version: 'v2', base64: 'AAEC' });
  });
  after(() => running.close());

  for (const version of ['2024-11-05', '2025-03-26']) {
    it(`stands behind the JSON at ${version}, which has no structure`, async () => {
      const peer = running.peer();
      await peer.initialize(version);
      const { content, structuredContent } = (await peer.request('tools/call', read)).json.result as unknown as Result;
      assert.equal((JSON.parse(content[0]?.text ?? '') as { mimeType: string }).mimeType, 'image/png');
      assert.deepEqual([content.slice(1), structuredContent], [[image], undefined]);
    });
  }

  const facts = 'logo.png (image/png, 3 bytes, version v2)';
  for (const version of ['2025-06-18', '2025-11-25']) {
    it(`stands behind the text for models at ${version}, beside the structure`, async () => {
      const peer = running.peer();
      await peer.initialize(version);
      const { content, structuredContent } = (await peer.request('tools/call', read)).json.result as unknown as Result;
      assert.deepEqual([content, structuredContent?.mimeType], [[{ type: 'text', text: facts }, image], 'image/png']);
    });
  }

  it('stands there at 2026-07-28, too', async () => {
    const call = modern(1, 'tools/call', read);
    const { content } = (await running.peer().post(call, modernHeaders(call))).json.result as unknown as Result;
    assert.deepEqual(content, [{ type: 'text', text: facts }, image]);
  });
});
