import assert from 'node:assert/strict';
import * as http from 'node:http';
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually, readDiscovery } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

/** This process is another program of the same person: all it knows is the discovery file. */
describe('A program outside the editor', () => {
  const workbench = useSharedWorkbench(actingWindow);
  let window: DiscoveryFile;
  const clients: Client[] = [];

  before(async () => {
    await workbench().openView('Duplex');
    window = await readDiscovery(workbench().folders.home);
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
  });

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${window.token}` });
  const overMcp = (): Transport => new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers: headers() } });
  const overSse = (): Transport => new SSEClientTransport(new URL(window.urls.sse), { requestInit: { headers: headers() } });

  for (const [endpoint, open] of [
    ['/mcp', overMcp],
    ['/sse', overSse],
  ] as const) {
    it(`gets the tool list over ${endpoint} at once, and results after the person answered the question`, async () => {
      const client = new Client({ name: `visitor${endpoint}`, version: '1.0.0' });
      clients.push(client);
      await client.connect(open());
      assert.ok((await client.listTools()).tools.some((tool) => tool.name === 'get_diagnostics'));
      const call = client.callTool({ name: 'list_workspace_folders', arguments: {} });
      const question = await permissionQuestion(workbench(), /^Permission:.*visitor/);
      await allow(question, 'Allow for this session');
      assert.match(JSON.stringify((await call).structuredContent), /"name":"demo"|^0 demo: /);
    });
  }

  it('is told of new diagnostics when the person opens a file with a type error, and can read them', async () => {
    const [client] = clients;
    assert.ok(client);
    const updates: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    await client.subscribeResource({ uri: 'diagnostics://workspace' });
    await workbench().palette.choose('Go to File...', 'receipt.ts');
    const error = await eventually('the type error', async () => {
      const { contents } = await client.readResource({ uri: 'diagnostics://workspace' });
      const text = contents.map((content) => ('text' in content ? content.text : '')).join('');
      return /"path":\s*"src\/receipt.ts"/.exec(text)?.[0];
    });
    assert.ok(error);
    await eventually('the update', async () => updates[0]); // it comes on another stream than what was read
    assert.deepEqual([...new Set(updates)], ['diagnostics://workspace']);
  });

  it('gets 401 for a wrong token and 403 for a foreign Origin or Host', async () => {
    const statuses = await Promise.all([
      statusOf(window, { authorization: 'Bearer wrong' }),
      statusOf(window, { ...headers(), origin: 'https://evil.example' }),
      statusOf(window, { ...headers(), host: 'evil.example' }),
    ]);
    assert.deepEqual(statuses, [401, 403, 403]);
  });
});

/** `fetch` would not let a page, or a test, choose the Host. */
function statusOf(window: DiscoveryFile, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      window.urls.mcp,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end('{}');
  });
}
