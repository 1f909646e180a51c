import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { errorOf, nextNamed, openAt, resultOf, rpc } from './legacyRules.ts';
import type { ProtocolLink, ProtocolTransport } from './protocolLinks.ts';
import { runCore, type RunningCore } from './runningCore.ts';

async function begin(link: ProtocolLink, name: string, ttl = 60_000): Promise<string> {
  const { task } = resultOf(await link.ask(rpc(`begin ${name}`, 'tools/call', { name, task: { ttl } })));
  return (task as JsonObject).taskId as string;
}

/** Tasks as 2025-11-25 has them. */
export function describeLegacyTasks(transport: ProtocolTransport): void {
  describe(`tasks of 2025-11-25 on ${transport.name}`, () => {
    let core: RunningCore;
    beforeEach(async () => {
      core = await runCore();
    });
    afterEach(() => core.close());

    it('a task is begun, followed, told of and its result fetched', async () => {
      const link = await openAt(transport, core, '2025-11-25');
      const taskId = await begin(link, 'job');
      const { status, ttl, pollInterval } = resultOf(await link.ask(rpc(1, 'tasks/get', { taskId })));
      assert.deepEqual([status, ttl, pollInterval], ['working', 60_000, 1_000]);
      const fetching = link.ask(rpc(2, 'tasks/result', { taskId }));
      await core.catalog.untilHeld();
      core.catalog.release?.();
      assert.deepEqual((await fetching).result, {
        content: [{ type: 'text', text: 'released' }],
        _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
      });
      let told = (await nextNamed(link, 'notifications/tasks/status')) as JsonObject;
      while (told.status === 'working') {
        told = (await nextNamed(link, 'notifications/tasks/status')) as JsonObject;
      }
      assert.deepEqual([told.taskId, told.status], [taskId, 'completed']);
      const { tasks } = resultOf(await link.ask(rpc(3, 'tasks/list'))) as unknown as { tasks: JsonObject[] };
      assert.deepEqual(
        tasks.map((task) => [task.taskId, task.status]),
        [[taskId, 'completed']],
      );
    });

    it('cancelling ends the work; a second time there is nothing to cancel', async () => {
      const link = await openAt(transport, core, '2025-11-25');
      const taskId = await begin(link, 'job');
      const { signal } = await core.catalog.untilHeld();
      assert.equal(resultOf(await link.ask(rpc(1, 'tasks/cancel', { taskId }))).status, 'cancelled');
      assert.equal(signal.aborted, true);
      assert.equal(errorOf(await link.ask(rpc(2, 'tasks/cancel', { taskId }))).code, -32602);
    });

    it('a task that needs input says so and asks on the stream of tasks/result', async () => {
      const link = await openAt(transport, core, '2025-11-25', { elicitation: {} });
      const taskId = await begin(link, 'askingJob');
      assert.equal(resultOf(await link.ask(rpc(1, 'tasks/get', { taskId }))).status, 'input_required');
      const fetching = link.ask(rpc(2, 'tasks/result', { taskId }));
      let request = await link.next();
      while (request.id === undefined) {
        request = await link.next();
      }
      assert.deepEqual((request.params as JsonObject)._meta, { 'io.modelcontextprotocol/related-task': { taskId } });
      await link.tell({ jsonrpc: '2.0', id: request.id as string, result: { action: 'accept', content: {} } });
      assert.deepEqual(resultOf(await fetching).content, [{ type: 'text', text: 'named' }]);
    });

    const refusals: readonly (readonly [string, string, JsonObject, number])[] = [
      ['a tool that cannot be a task', 'tools/call', { name: 'echo', task: {} }, -32601],
      ['a tool that must be one, called plainly', 'tools/call', { name: 'onlyJob' }, -32601],
      ['a task that is no object', 'tools/call', { name: 'job', task: 5 }, -32602],
      ['an unknown task', 'tasks/get', { taskId: 'x' }, -32602],
      ['the result of an unknown task', 'tasks/result', { taskId: 'x' }, -32602],
      ['an invalid cursor of tasks/list', 'tasks/list', { cursor: 'x' }, -32602],
      ['tasks/update, which came later', 'tasks/update', { taskId: 'x' }, -32601],
    ];
    for (const [what, method, params, code] of refusals) {
      it(`${what} is ${code}`, async () => {
        const link = await openAt(transport, core, '2025-11-25');
        assert.equal(errorOf(await link.ask(rpc(1, method, params))).code, code);
      });
    }

    it('older revisions know no tasks: the methods are missing and the parameter means nothing', async () => {
      const link = await openAt(transport, core, '2025-06-18');
      assert.equal(errorOf(await link.ask(rpc(1, 'tasks/list'))).code, -32601);
      const answer = await link.ask(rpc(2, 'tools/call', { name: 'onlyJob', task: {} }));
      assert.deepEqual(resultOf(answer).content, [{ type: 'text', text: 'done' }]);
    });

    it('a task is invisible to another session, and ends with its own', async () => {
      const link = await openAt(transport, core, '2025-11-25');
      const taskId = await begin(link, 'job');
      const { signal } = await core.catalog.untilHeld();
      const other = await openAt(transport, core, '2025-11-25');
      assert.equal(errorOf(await other.ask(rpc(1, 'tasks/get', { taskId }))).code, -32602);
      core.server.clients.snapshot().forEach((client) => core.server.clients.endRevoked(client));
      assert.equal(signal.aborted, true);
    });
  });
}
