export type StartStep = 'activating' | 'activated' | 'started' | 'listening';

/** Marks a step of the start on the timeline of the extension host, with the processor time used so far, so that `npm run bench` can read what a start costs. */
export function markStart(step: StartStep): void {
  performance.mark(`duplex.${step}`, { detail: process.cpuUsage() });
}
