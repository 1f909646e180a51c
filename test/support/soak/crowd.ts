/** Clients in a process of their own: `crowd.ts JSON` says that it is ready, comes, calls and goes for a while, and prints what it saw as JSON. */
import assert from 'node:assert/strict';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { agent, initialize, openSession, post } from '../../bench/httpPost.ts';
import { sessionTarget, sseTarget, statelessTarget, webSocketTarget, type OpenTarget } from '../../bench/loadTargets.ts';
import { randomFrom } from '../random.ts';

export interface CrowdOrder {
  readonly urls: { readonly mcp: string; readonly sse: string; readonly ws: string };
  readonly tokens: readonly string[];
  readonly clients: number;
  readonly ms: number;
  readonly seed: number;
}

export interface CrowdReport {
  readonly connections: number;
  readonly calls: number;
  /** Connections that were cut on purpose in the middle of a call. */
  readonly cut: number;
  /** Connections that left unread what they had subscribed to. */
  readonly unread: number;
  /** How long the slowest answer took. */
  readonly slowestMs: number;
  /** Calls without the right answer, each with the reason; the first twenty. */
  readonly lost: readonly string[];
}

/**
 * How long nothing at all may have been answered before what is still open counts as lost. No answer has a limit of its own: on a
 * machine with much else to do, one may take as long as this whole test, and is not lost for that.
 */
const patienceMs = 60_000;
const order = JSON.parse(process.argv[2] ?? '') as CrowdOrder;
const until = performance.now() + order.ms;
const seen = { connections: 0, calls: 0, cut: 0, unread: 0, slowestMs: 0 };
const lost: string[] = [];
/** What has no answer yet. */
const waiting = new Set<{ toString(): string }>();
let lastAnswer = until;

const ways: readonly ((token: string) => Promise<OpenTarget>)[] = [
  (token) => sessionTarget('mcp', order.urls.mcp, token),
  (token) => Promise.resolve(statelessTarget('stateless', order.urls.mcp, token)),
  (token) => sseTarget('sse', order.urls.sse, token, true),
  (token) => webSocketTarget('ws', order.urls.ws, token, true),
];

async function visit(index: number, token: string, random: () => number): Promise<void> {
  const way = ways[index % ways.length] ?? assert.fail();
  const target = await answered(way(token), `the opening of way ${index % ways.length}`);
  seen.connections += 1;
  const calls = 1 + Math.floor(random() * 20);
  for (let each = 0; each < calls && performance.now() < until; each += 1) {
    await answered(target.call(), `a call over ${target.name}`);
    seen.calls += 1;
    await sleep(50 + random() * 400);
  }
  if (target.close !== undefined && random() < 0.5) {
    seen.cut += 1;
    void target.ask().catch(() => undefined);
  }
  target.close?.();
}

/** Subscribes, and reads nothing of what it is told from then on. */
async function leaveUnread(token: string, random: () => number): Promise<void> {
  const socket = new WebSocket(order.urls.ws, { headers: { authorization: `Bearer ${token}` } });
  const opened = new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined); // the event 'close' follows
  await answered(opened, 'the opening of a WebSocket');
  socket.send(initialize(1));
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'diagnostics://workspace' } }));
  socket.pause();
  seen.unread += 1;
  await sleep(500 + random() * 3_000);
  socket.terminate();
}

/** Opens a session, and ends it as the protocol wants it. */
async function takeLeave(token: string): Promise<void> {
  const headers = await answered(openSession(order.urls.mcp, token), 'the opening of a session');
  seen.connections += 1;
  const { status } = await answered(post(order.urls.mcp, token, '', headers, 'DELETE'), 'the end of a session');
  if (status !== 200 && status !== 204) {
    throw new Error(`the end of a session is answered with ${status}`);
  }
}

async function answered<T>(work: Promise<T>, what: string): Promise<T> {
  const begun = performance.now();
  const open = { toString: () => `${what}, begun ${Math.round(until - begun)} ms before the end, has no answer` };
  waiting.add(open);
  try {
    return await work;
  } finally {
    waiting.delete(open);
    lastAnswer = Math.max(lastAnswer, performance.now());
    seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - begun));
  }
}

/** Waits until nobody is answered any more, after the end. */
async function untilSilent(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && performance.now() < lastAnswer + patienceMs) {
    await sleep(lastAnswer + patienceMs - performance.now(), undefined, { signal }).catch(() => undefined);
  }
  lost.push(...(signal.aborted ? [] : [...waiting].map(String)));
}

async function live(index: number): Promise<void> {
  const random = randomFrom(order.seed + index);
  const token = order.tokens[index % order.tokens.length] ?? '';
  while (performance.now() < until) {
    try {
      const wish = random();
      await (wish < 0.1 ? leaveUnread(token, random) : wish < 0.2 ? takeLeave(token) : visit(index, token, random));
    } catch (error) {
      lost.push(error instanceof Error ? error.message : String(error));
      await sleep(100);
    }
  }
}

process.stdout.write('ready\n'); // until now it was only being loaded
const allAreDone = new AbortController();
await Promise.race([
  Promise.all(Array.from({ length: order.clients }, (_, index) => live(index))).finally(() => allAreDone.abort()),
  untilSilent(allAreDone.signal),
]);
agent.destroy();
process.stdout.write(JSON.stringify({ ...seen, lost: lost.slice(0, 20) } satisfies CrowdReport), () => process.exit());
