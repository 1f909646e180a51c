import assert from 'node:assert/strict';
import path from 'node:path';
import * as z from 'zod';
import type { JsonObject } from '../../src/base/json.ts';
import type { ToolCallRequest, CallOutcome } from '../../src/host/tools/toolCaller.ts';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('Tasks of the official everything server', () => {
  let host: TestHost;
  let serverId: string;
  before(async () => {
    host = await createTestHost({
      features: {
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: { chooseModel: () => assert.fail('none'), complete: () => Promise.reject(new Error('none')) },
        openExternal: () => Promise.resolve(),
      },
    });
    await host.configure({ everything: { command: 'node', args: [everything, 'stdio'] } });
    serverId = host.server('everything').id;
    const state = await host.registry.start(serverId, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-11-25', JSON.stringify(state));
    // It adds the tool only when it was told that the greeting is over.
    await host.until(() => host.server('everything').tools.some(({ taskSupport }) => taskSupport === 'required'), 'a tool that is a task');
  });
  after(() => host.close());

  const research = (args: JsonObject, more: Partial<ToolCallRequest> = {}): Promise<CallOutcome> =>
    host.call('simulate-research-query', args, { serverId, ...more });

  it('are followed to their result, with their status as progress, beyond the time a silent call may take', async () => {
    const messages: string[] = [];
    const outcome = await research({ topic: 'tides' }, { timeoutMs: 1_500, onProgress: ({ message }) => messages.push(message ?? '') });
    assert.match(textOf(outcome), /# Research Report: tides/);
    const stages = new Set(messages);
    assert.ok(stages.has('Gathering sources...') && stages.size >= 3, [...stages].join(' | '));
  });

  it('that ask the person on their way get the answer and go on', async () => {
    const usual = host.answer;
    host.answer = (question) =>
      question.detail.kind === 'elicitation' ? { choice: 'allowOnce', form: { interpretation: 'snake' } } : usual(question);
    const messages: string[] = [];
    const outcome = await research(
      { topic: 'python', ambiguous: true },
      { timeoutMs: 2_500, onProgress: ({ message }) => messages.push(message ?? '') },
    );
    host.answer = usual;
    assert.match(textOf(outcome), /# Research Report: python \(snake\)/);
    assert.ok(
      messages.some((each) => each.startsWith('Found multiple interpretations')),
      messages.join(' | '),
    );
  });

  it('that are cancelled here are cancelled there', async () => {
    const cancelling = new AbortController();
    const outcome = await research({ topic: 'tides' }, { signal: cancelling.signal, onProgress: () => cancelling.abort() });
    assert.deepEqual(outcome, { kind: 'cancelled' });
    const client = host.registry.find(serverId)?.connection.session?.client;
    assert.ok(client !== undefined);
    let statuses: string[] = [];
    for (let round = 0; round < 50 && !statuses.includes('cancelled'); round += 1) {
      const { tasks } = await client.request(
        { method: 'tasks/list' },
        z.looseObject({ tasks: z.array(z.looseObject({ status: z.string() })) }),
      );
      statuses = tasks.map(({ status }) => status);
    }
    assert.ok(statuses.includes('cancelled'), statuses.join());
  });
});
