import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { initializeParams } from './httpPeer.ts';
import { openAt, resultOf, rpc } from './legacyRules.ts';
import type { ProtocolLink, ProtocolTransport } from './protocolLinks.ts';
import { runCore, type RunningCore } from './runningCore.ts';

async function nextRequest(link: ProtocolLink): Promise<JsonObject> {
  for (;;) {
    const message = await link.next();
    if (message.id !== undefined) {
      return message;
    }
  }
}

function textOf(answer: JsonObject): string {
  return (resultOf(answer) as unknown as { content: { text: string }[] }).content[0]?.text ?? '';
}

/** What a server may ask of a client, on every transport that has a way back. */
export function describeClientRequests(transport: ProtocolTransport): void {
  describe(`requests to the client on ${transport.name}`, () => {
    let core: RunningCore;
    beforeEach(async () => {
      core = await runCore();
    });
    afterEach(() => core.close());

    it('a tool that needs input asks for it and is run again with the answer and its state', async () => {
      const link = await openAt(transport, core, '2025-11-25', { elicitation: {} });
      const answering = link.ask(rpc(1, 'tools/call', { name: 'ask' }));
      const request = await nextRequest(link);
      assert.deepEqual([request.method, (request.params as JsonObject).message], ['elicitation/create', 'Who?']);
      await link.tell({ jsonrpc: '2.0', id: request.id as string, result: { action: 'accept', content: { name: 'Ada' } } });
      assert.equal(textOf(await answering), '{"action":"accept","content":{"name":"Ada"}} {"step":1}');
    });

    it('a form has no mode before 2025-11-25', async () => {
      const link = await openAt(transport, core, '2025-06-18', { elicitation: {} });
      const answering = link.ask(rpc(1, 'tools/call', { name: 'ask' }));
      const request = await nextRequest(link);
      assert.deepEqual(Object.keys(request.params as JsonObject), ['message', 'requestedSchema']);
      await link.tell({ jsonrpc: '2.0', id: request.id as string, error: { code: -1, message: 'no' } });
      assert.equal(textOf(await answering), '{"action":"cancel"} {"step":1}');
    });

    it('a client that did not declare it is asked nothing', async () => {
      const link = await openAt(transport, core, '2025-11-25');
      const answer = await link.ask(rpc(1, 'tools/call', { name: 'ask' }));
      assert.deepEqual([resultOf(answer).isError, textOf(answer)], [true, 'This needs elicitation, which the client did not declare.']);
    });

    it('a client that did not say that it is initialized is asked nothing', async () => {
      const link = await transport.open(core);
      await link.ask(rpc(0, 'initialize', { ...initializeParams('2025-11-25'), capabilities: { elicitation: {} } }));
      const answer = await link.ask(rpc(1, 'tools/call', { name: 'ask' }));
      assert.match(textOf(answer), /notifications\/initialized/);
    });

    it('a tool that never has enough is stopped after eight rounds', async () => {
      const link = await openAt(transport, core, '2025-11-25', { elicitation: {} });
      const answering = link.ask(rpc(1, 'tools/call', { name: 'insist' }));
      for (let round = 0; round < 8; round += 1) {
        const request = await nextRequest(link);
        await link.tell({ jsonrpc: '2.0', id: request.id as string, result: { action: 'accept', content: {} } });
      }
      assert.equal(textOf(await answering), 'The client was asked too often.');
    });

    it('a cancelled call takes its question back', async () => {
      const link = await openAt(transport, core, '2025-11-25', { elicitation: {} });
      const answering = link.ask(rpc('c', 'tools/call', { name: 'ask' })).catch(() => undefined);
      const request = await nextRequest(link);
      await link.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } });
      let told = await link.next();
      while (told.method !== 'notifications/cancelled') {
        told = await link.next();
      }
      assert.equal((told.params as JsonObject).requestId, request.id);
      void answering;
    });
  });
}
