/** A client in a process of its own: `loadClient.js JSON` measures and prints the measurements as JSON. */
import * as http from 'node:http';
import { agent, check, initialize, openSession, post as postAs, type Answer } from './httpPost.ts';
import { measureInTurn, type Measurement, type Target } from './roundTrips.ts';

export interface LoadOrder {
  readonly echoUrl: string;
  readonly mcpUrl: string;
  readonly sseUrl: string;
  readonly token: string;
}

const order = JSON.parse(process.argv[2] ?? '') as LoadOrder;

let nextId = 1;
const request = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
const toolCall = (): string => request('tools/call', { name: 'get_diagnostics', arguments: {} });

const post = (url: string, body: string, headers?: Record<string, string>): Promise<Answer> => postAs(url, order.token, body, headers);

function echo(): Target {
  return { name: 'echo', call: async () => check(await post(order.echoUrl, toolCall()), 200) };
}

async function streamableHttp(): Promise<Target> {
  const headers = await openSession(order.mcpUrl, order.token);
  return {
    name: '/mcp',
    call: async () => {
      const answer = await post(order.mcpUrl, toolCall(), headers);
      check(answer, 200);
      if (!answer.body.includes('"structuredContent"')) {
        throw new Error(`Not a result: ${answer.body.slice(0, 300)}`);
      }
    },
  };
}

async function httpSse(): Promise<Target & { close(): void }> {
  const waiting = new Map<number, (message: string) => void>();
  const { endpoint, close } = await openStream((data) => {
    const id = Number(/"id":(\d+)/.exec(data)?.[1]);
    waiting.get(id)?.(data);
    waiting.delete(id);
  });
  const ask = async (body: string): Promise<string> => {
    const id = nextId - 1;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    check(await post(endpoint, body), 202);
    return answer;
  };
  await ask(initialize(nextId++));
  check(await post(endpoint, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })), 202);
  return {
    name: '/sse',
    close,
    call: async () => {
      const answer = await ask(toolCall());
      if (!answer.includes('"structuredContent"')) {
        throw new Error(`Not a result: ${answer.slice(0, 300)}`);
      }
    },
  };
}

function openStream(onMessage: (data: string) => void): Promise<{ endpoint: string; close: () => void }> {
  return new Promise((resolve, reject) => {
    const outgoing = http.get(
      order.sseUrl,
      { headers: { authorization: `Bearer ${order.token}`, accept: 'text/event-stream' } },
      (incoming) => {
        let buffer = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          buffer += chunk;
          for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
            const event = buffer.slice(0, end);
            buffer = buffer.slice(end + 2);
            const data = event.replace(/^[^]*?data: /, '');
            if (event.startsWith('event: endpoint')) {
              resolve({ endpoint: new URL(data, order.sseUrl).href, close: () => outgoing.destroy() });
            } else if (event.includes('data: ')) {
              onMessage(data);
            }
          }
        });
      },
    );
    outgoing.on('error', reject);
  });
}

async function main(): Promise<Measurement[]> {
  const sse = await httpSse();
  const targets = [echo(), await streamableHttp(), sse];
  // The person is asked at the first call of each session; the bench's own window answers.
  await Promise.all(targets.map((target) => target.call()));
  const measurements = [...(await measureInTurn(targets, 1)), ...(await measureInTurn(targets, 16))];
  sse.close();
  agent.destroy();
  return measurements;
}

process.stdout.write(JSON.stringify(await main()));
