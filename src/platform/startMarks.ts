export type StartStep = 'activating' | 'activated' | 'started' | 'listening';

/** On the timeline of the extension host, with what its processor had done by then: `npm run bench` reads what a start costs. */
export function markStart(step: StartStep): void {
  performance.mark(`duplex.${step}`, { detail: process.cpuUsage() });
}
