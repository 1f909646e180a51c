import { createTestHost, textOf } from './support.ts';

/** A stand-in for a window's extension host, in a process of its own that a test can kill: prints the pids it is responsible for. */
const host = await createTestHost();
await host.startScripted('ignoresTerm');
const { pid } = JSON.parse(textOf(await host.call('surroundings'))) as { pid: number };
const children = JSON.parse(textOf(await host.call('start_children'))) as number[];
process.stdout.write(`${JSON.stringify([pid, ...children])}\n`);
setInterval(() => undefined, 1_000);
