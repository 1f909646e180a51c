import assert from 'node:assert/strict';
import { Client, InMemoryTransport, specTypeSchemas, type Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { legacyResultSchema } from '../../../../src/host/connection/directCalls.ts';

const text = { type: 'text', text: 'hello' };
const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
const relatedTask = 'io.modelcontextprotocol/related-task';

/** What servers answer to the call of a tool, rightly and wrongly. */
const answers: readonly JsonObject[] = [
  { content: [] },
  { content: [text, image], isError: true, more: 1 },
  { content: [text], structuredContent: { answer: 42 }, resultType: 'complete' },
  { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
  { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'a' } }] },
  {},
  { isError: false },
  { structuredContent: { answer: 42 } },
  { _meta: { progressToken: 1, [relatedTask]: { taskId: 'a' }, 'io.modelcontextprotocol/serverInfo': 1 }, content: [] },
  { content: 'text' },
  { content: null },
  { content: [1] },
  { content: [{ type: 'unknown' }] },
  { content: [{ type: 'text' }] },
  { content: [{ ...image, data: '!' }] },
  { content: [], isError: 'no' },
  { content: [], structuredContent: [1] },
  { content: [], structuredContent: null },
  { content: [], structuredContent: 'text' },
  { content: [], _meta: { progressToken: {} } },
  { content: [], _meta: { [relatedTask]: {} } },
  { task: { taskId: 'a' } },
  { inputRequests: {} },
  { requestState: 'a' },
  { content: [], task: { taskId: 'a' } },
];

describe('The answer to the call of a tool, before 2026-07-28,', () => {
  it('is taken and refused here as by the SDK itself', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    let answer: JsonObject = {};
    await serve(far, () => answer);
    await client.connect(near);
    const schema = legacyResultSchema(specTypeSchemas);
    const params = { name: 'any', arguments: {} };
    for (answer of answers) {
      const theirs = await outcomeOf(client.callTool(params));
      const ours = await outcomeOf(client.request({ method: 'tools/call', params }, schema));
      assert.deepEqual(ours, theirs, JSON.stringify(answer));
    }
    await client.close();
  });
});

async function serve(transport: Transport, answer: () => JsonObject): Promise<void> {
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) {
      const result = message.method === 'initialize' ? greeting : answer();
      void transport.send({ jsonrpc: '2.0', id: message.id, result });
    }
  };
  await transport.start();
}

const greeting: JsonObject = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } };

/** By what the host uses of it: of a refusal the code, and of the rest all but what is beside the protocol. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    const result: unknown = await call;
    assert.ok(isJsonObject(result));
    const { _meta, ...rest } = result;
    return { hasMeta: _meta !== undefined, ...rest };
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : String(error);
  }
}
