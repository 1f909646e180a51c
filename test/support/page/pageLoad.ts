import assert from 'node:assert/strict';
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
  readonly args: {
    readonly name?: string;
    readonly data?: { readonly frames?: readonly { readonly isOutermostMainFrame?: boolean; readonly processId: number }[] };
  };
}

/** What the work costs the page. */
export async function measureLoad(browser: Browser, page: Page, work: () => Promise<void>): Promise<PageLoad> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  const since = performance.now();
  await work();
  const elapsedMs = performance.now() - since;
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  const frames = traceEvents.flatMap(({ name, args }) => (name === 'TracingStartedInBrowser' ? (args.data?.frames ?? []) : []));
  const processId = frames.find(({ isOutermostMainFrame }) => isOutermostMainFrame === true)?.processId;
  // What is inside other frames of the page may have a process of its own, which is not meant.
  const main = traceEvents.find(({ name, pid, args }) => name === 'thread_name' && pid === processId && args.name === 'CrRendererMain');
  const tasks = traceEvents
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && pid === processId && tid === main?.tid)
    .map(({ tdur }) => (tdur ?? 0) / 1000);
  assert.ok(tasks.length > 0, 'The trace has no task of the page.');
  return {
    maxTaskMs: tasks.reduce((longest, task) => Math.max(longest, task), 0),
    busy: tasks.reduce((sum, task) => sum + task, 0) / elapsedMs,
  };
}
