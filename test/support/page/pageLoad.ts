import type { Browser, Page } from 'playwright-core';

export interface PageLoad {
  /** The longest task of the page's main thread, in time of the processor: how busy the machine is otherwise does not count. */
  readonly maxTaskMs: number;
  /** The share of the time in which the page was at work. */
  readonly busy: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** What the work costs the page. */
export async function measureLoad(browser: Browser, page: Page, work: () => Promise<void>): Promise<PageLoad> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  const since = performance.now();
  await work();
  const elapsedMs = performance.now() - since;
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  const isMain = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const byThread = new Map<string, number[]>();
  for (const { name, ph, pid, tid, tdur } of traceEvents) {
    const thread = `${pid} ${tid}`;
    if (ph === 'X' && name.endsWith('RunTask') && isMain.has(thread)) {
      const tasks = byThread.get(thread) ?? [];
      tasks.push((tdur ?? 0) / 1000);
      byThread.set(thread, tasks);
    }
  }
  // Other renderers idle: the one that worked is the page's.
  const loads = [...byThread.values()].map((tasks) => ({
    maxTaskMs: tasks.reduce((longest, task) => Math.max(longest, task), 0),
    busy: tasks.reduce((sum, task) => sum + task, 0) / elapsedMs,
  }));
  return loads.reduce((one, other) => (one.busy > other.busy ? one : other), { maxTaskMs: 0, busy: 0 });
}
