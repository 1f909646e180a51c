import assert from 'node:assert/strict';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

type Transport = Parameters<Client['connect']>[0];

function transportOf(kind: 'http' | 'sse', { port, token }: RunningServer): Transport {
  const authProvider = { token: () => Promise.resolve(token) };
  return kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { authProvider })
    : new SSEClientTransport(new URL(`http://127.0.0.1:${port}/sse`), { authProvider });
}

describe('the official v2 client against the embedded server', () => {
  let running: RunningServer;
  let client: Client;
  afterEach(async () => {
    await client.close();
    await running.close();
  });

  for (const kind of ['http', 'sse'] as const) {
    it(`lists, calls, reads, subscribes and is told over ${kind}`, async () => {
      running = await runServer();
      client = new Client({ name: 'official', version: '2.4.0' });
      const updated = new Promise<string>((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
      });
      await client.connect(transportOf(kind, running));
      assert.deepEqual(client.getServerVersion(), { name: 'duplex', title: 'Duplex', version: '1.2.3' });
      const { tools } = await client.listTools();
      const withoutArguments = ['list_open_editors', 'get_diagnostics', 'list_workspace_folders'];
      assert.deepEqual(tools.map(({ name }) => name).slice(0, 3), withoutArguments);
      // The client holds each answer against the tool's output schema.
      const answers = [];
      for (const name of withoutArguments) {
        answers.push((await client.callTool({ name, arguments: {} })).structuredContent);
      }
      assert.deepEqual(answers, [
        { editors: running.editor.editors },
        {
          diagnostics: running.editor.diagnostics,
          documents: [{ path: 'src/a.ts', version: 'v3', isDirty: true }],
          settled: true,
          total: 1,
          note: 'Known are the problems of open files and of others that a language service reported by itself. For others, pass a path, or scope "project" for all.',
        },
        { folders: running.editor.folders },
      ]);
      assert.ok((await client.listResources()).resources.some(({ uri }) => uri === 'tests://latest'));
      assert.ok((await client.listPrompts()).prompts.some(({ name }) => name === 'review_changes'));
      assert.ok((await client.listResourceTemplates()).resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'file:///{+path}'));
      const { contents } = await client.readResource({ uri: 'editor://open' });
      assert.deepEqual(contents, [
        { uri: 'editor://open', mimeType: 'application/json', text: JSON.stringify({ editors: running.editor.editors }) },
      ]);
      await client.subscribeResource({ uri: 'diagnostics://workspace' });
      running.editor.didChangeDiagnostics.fire();
      assert.equal(await updated, 'diagnostics://workspace');
      await client.ping();
    });

    it(`receives progress while the person is asked over ${kind}`, async () => {
      running = await runServer({ approval: new FakeApproval() });
      client = new Client({ name: 'official', version: '2.4.0' });
      await client.connect(transportOf(kind, running));
      const progress = new Promise<string | undefined>((resolve) => {
        const onprogress = ({ message }: { message?: string | undefined }): void => resolve(message);
        client.callTool({ name: 'list_open_editors' }, { onprogress }).catch(() => resolve(undefined));
      });
      assert.equal(await progress, 'waiting for approval in VS Code');
      running.approval.answer({ kind: 'allowed', role: 'reader' });
    });
  }

  it('agrees on the newest revision in auto mode', async () => {
    running = await runServer();
    client = new Client({ name: 'official', version: '2.4.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transportOf('http', running));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.ok((await client.listTools()).tools.length > 3);
  });

  it('a cancelled call aborts its work', async () => {
    running = await runServer();
    client = new Client({ name: 'official', version: '2.4.0' });
    await client.connect(transportOf('http', running));
    await client.callTool({ name: 'list_open_editors' });
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      running.editor.answerDiagnostics = (_query, signal) => {
        signal.addEventListener('abort', () => resolve());
        controller.abort();
        return new Promise(() => undefined);
      };
    });
    await assert.rejects(client.callTool({ name: 'get_diagnostics', arguments: { waitMs: 1 } }, { signal: controller.signal }));
    await aborted;
  });
});
