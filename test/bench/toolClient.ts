/** A client in a process of its own: `toolClient.js JSON` calls tools beside bare ripgrep and prints what each took, a line of JSON each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { agent, check, openSession, post } from './httpPost.ts';

export interface ToolOrder {
  readonly mcpUrl: string;
  readonly token: string;
  readonly ripgrep: string;
  readonly folder: string;
  readonly steps: readonly ToolStep[];
}

export interface ToolStep {
  readonly name: string;
  readonly rounds: number;
  /** None: the machine as it is when nothing is asked for. */
  readonly calls: readonly { readonly method?: string; readonly params: object }[];
  /** What ripgrep is told for the same. */
  readonly floor?: readonly string[];
}

/** Of a step that did not work. */
export interface ToolFailure {
  readonly name: string;
  readonly failure: string;
}

export interface ToolMeasurement {
  readonly name: string;
  /** Medians. */
  readonly milliseconds: number;
  readonly floorMilliseconds?: number;
  /** Since 1970: what the editor's process looks its own stalls up by. */
  readonly from: number;
  readonly to: number;
  readonly characters: number;
}

const order = JSON.parse(process.argv[2] ?? '') as ToolOrder;
const headers = await openSession(order.mcpUrl, order.token);
const epochNow = (): number => performance.timeOrigin + performance.now();
const idleMs = 1_500;
let nextId = 10;

async function call({ method = 'tools/call', params }: ToolStep['calls'][number]): Promise<number> {
  const answer = await post(order.mcpUrl, order.token, JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }), headers);
  check(answer, 200);
  if (answer.body.includes('"isError":true') || answer.body.includes('"error":')) {
    throw new Error(`${JSON.stringify(params)}: ${answer.body.slice(0, 300)}`);
  }
  return answer.body.length;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** All it writes is taken from it, however much that is. */
async function ripgrep(args: readonly string[]): Promise<void> {
  const child = spawn(order.ripgrep, args, { cwd: order.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  await once(child, 'close');
}

async function measure({ name, rounds, calls, floor }: ToolStep): Promise<ToolMeasurement> {
  let characters = 0;
  const work = async (): Promise<void> => {
    characters = (await Promise.all(calls.map(call))).reduce((sum, each) => sum + each, 0);
  };
  if (calls.length > 0) {
    await work(); // warm up
  }
  const from = epochNow();
  const own: number[] = [];
  const bare: number[] = [];
  // In turn, so that a busy moment of the machine hits both alike.
  for (let round = 0; round < rounds; round += 1) {
    own.push(await timed(calls.length === 0 ? () => new Promise((resolve) => setTimeout(resolve, idleMs)) : work));
    if (floor !== undefined) {
      bare.push(await timed(() => ripgrep(floor)));
    }
  }
  const floorMilliseconds = floor === undefined ? {} : { floorMilliseconds: median(bare) };
  return { name, milliseconds: median(own), ...floorMilliseconds, from, to: epochNow(), characters };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

for (const step of order.steps) {
  // A line at once: if a later one fails or does not end, this one counts all the same.
  try {
    process.stdout.write(`${JSON.stringify(await measure(step))}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ name: step.name, failure: String(error) })}\n`);
  }
}
agent.destroy();
