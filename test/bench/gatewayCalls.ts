/** Run by itself: prints what it costs a client to use a server through Duplex, beside using it directly, and what ten servers cost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway, type GatewayBench } from '../unit/host/offered/gatewayBench.ts';
import { repositoryRoot } from '../unit/host/support.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer } from '../unit/server/support/runningServer.ts';
import { measureInTurn } from './roundTrips.ts';
import { median, overRounds, reportRows } from './rows.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const neverAborted = new AbortController().signal;
const limits = { actingPerSecond: 100_000, requestsPerSecond: 100_000 };
const names = Array.from({ length: 10 }, (_, index) => `everything${index}`);

const direct = await startDirect();
const bench = await createGateway({ served: { limits } });
bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowAlways');
await offerTen(bench);
const clients = [
  ['direct', await connect(direct.url, 'none'), 'echo'],
  ['through Duplex', await connect(`http://127.0.0.1:${bench.served.port}/mcp`, bench.served.otherToken()), 'everything0__echo'],
] as const;
await clients[1][1].callTool({ name: 'list_workspace_folders', arguments: {} });

await measureCalls();
await measureList();
await measureStart();

await Promise.all(clients.map(([, client]) => client.close()));
await bench.close();
const ended = once(direct.child, 'exit');
direct.child.kill();
await ended;

async function measureCalls(): Promise<void> {
  const targets = clients.map(([name, client, tool]) => ({
    name,
    call: async () => void (await client.callTool({ name: tool, arguments: { message: 'hello' } })),
  }));
  for (const inFlight of [1, 16]) {
    const [bare, gateway] = await measureInTurn(targets, inFlight);
    if (bare === undefined || gateway === undefined) {
      throw new Error('nothing was measured');
    }
    const beside = `${gateway.perSecond.toFixed(0)} /s; directly ${bare.perSecond.toFixed(0)} /s`;
    const row = overRounds(gateway.rounds.map((round, index) => (bare.rounds[index]?.perSecond ?? Number.NaN) / round.perSecond));
    const what = `a tool of an offered server over HTTP, ${inFlight} in flight: time beside the server over HTTP itself`;
    console.log(`${what}: ${row.measured.toFixed(2)} × (${beside})`);
    reportRows([{ what, ...row, unit: '×', goal: { atMost: 1.5 }, beside, isInReadme: inFlight === 1 }]);
  }
}

async function measureList(): Promise<void> {
  const { tools } = await clients[1][1].listTools();
  const ofOthers = tools.filter(({ name }) => name.includes('__') || name === 'find_tools' || name === 'call_tool');
  const whole = bench.offered.tools();
  const measured = JSON.stringify(ofOthers).length;
  const beside = `${whole.length} tools, ${JSON.stringify(whole.map(({ listing }) => listing)).length} characters in all`;
  const what = 'ten offered servers: characters that they add to tools/list';
  console.log(`${what}: ${measured} (${beside})`);
  reportRows([{ what, measured, unit: '', goal: { atMost: 2_000 }, beside, isInReadme: true }]);
}

/** The time until the listener answers a first client, with what ten servers list and without. */
async function measureStart(): Promise<void> {
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < 11; round += 1) {
    for (const kind of ['with', 'without'] as const) {
      const started = performance.now();
      const approval = new FakeApproval({ kind: 'allowed', role: 'runner' });
      const served = await runServer({ approval, ...(kind === 'with' && { offered: bench.offered }) });
      const peer = served.peer(served.otherToken());
      await peer.initialize();
      // The client is let in with its first call, and then sees what is offered.
      await peer.callTool('list_workspace_folders');
      await peer.request('tools/list');
      times[kind].push(performance.now() - started);
      await served.close();
    }
  }
  const measured = median(times.with) / median(times.without);
  const beside = `${median(times.with).toFixed(1)} ms; without ${median(times.without).toFixed(1)} ms`;
  const what = 'ten offered servers: time until the listener has told a client its tools, beside none';
  console.log(`${what}: ${measured.toFixed(2)} × (${beside})`);
  reportRows([{ what, measured, unit: '×', goal: { atMost: 1.2 }, beside }]);
}

async function offerTen({ host, offers }: GatewayBench): Promise<void> {
  await host.configure(Object.fromEntries(names.map((name) => [name, { command: 'node', args: [everything, 'stdio'] }])));
  for (const name of names) {
    const { id } = host.server(name);
    await host.registry.start(id, { ask: host.ask, signal: neverAborted });
    await offers.offer(id);
  }
}

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: { token: () => Promise.resolve(token) } }));
  return client;
}

/** The same server, as it serves HTTP by itself. */
async function startDirect(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, 'streamableHttp'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes(String(port))) {
      break;
    }
  }
  child.stderr.resume();
  return { url: `http://127.0.0.1:${port}/mcp`, child };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
