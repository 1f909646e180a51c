import { setLeakTracker, type Disposable } from '../../src/base/lifecycle.ts';

/** Live disposables, each with the place that made it: written out only for those that are left, because that takes its time. */
const alive = new Map<Disposable, Error>();

setLeakTracker({
  created: (disposable) => alive.set(disposable, new Error()),
  disposed: (disposable) => alive.delete(disposable),
});

/** Mocha's own frames as well: it leaves lines that name it out of its report. */
const notThePlace = ['lifecycle.ts', 'leakCheck.ts', 'node_modules/mocha'];

/** What Node keeps open for a child process, a socket or a server. */
const heldResources = new Set(['ProcessWrap', 'TCPSocketWrap', 'TCPServerWrap']);

/** Loaded by mocha: the run fails if anything made in it was not let go. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    await untilClosed();
    const left = [...new Set([...alive.values()].map(placeOf)), ...openResources()];
    if (left.length > 0) {
      throw new Error(`Not let go at the end of the tests:\n  ${left.join('\n  ')}`);
    }
  },
};

/** Sockets close a few turns of the event loop after they are told to. */
async function untilClosed(): Promise<void> {
  const deadline = performance.now() + 3_000;
  while (openResources().length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => heldResources.has(name));
}

function placeOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n');
  return frames
    .filter((line) => !notThePlace.some((name) => line.includes(name)))
    .slice(1, 4)
    .map((frame) => frame.trim().replace(/^at /, ''))
    .join(' < ');
}
