import type { TrafficRecord } from './trafficLog.ts';

/** One line of JSON for each exchange, as it was shown: without secrets. */
export function trafficLines(records: readonly TrafficRecord[]): string {
  return records.map((record) => `${lineOf(record)}\n`).join('');
}

/** The messages are JSON already. */
function lineOf({ number, time, peer, direction, kind, message, answer }: TrafficRecord): string {
  const about = JSON.stringify({ number, time: new Date(time).toISOString(), [peer.side]: peer.name, direction, kind });
  const heard =
    answer === undefined
      ? ''
      : `,"durationMs":${Math.round(answer.durationMs * 10) / 10},"isError":${answer.isError},"answer":${answer.message.text}`;
  return `${about.slice(0, -1)},"message":${message.text}${heard}}`;
}
