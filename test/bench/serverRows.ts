import type { Measurement, Round } from './roundTrips.ts';
import { median, overRounds, type BenchRow } from './rows.ts';

/** Who is called, in which way. */
export const targetNames = {
  jsonFloor: 'node:http echo',
  statelessFloor: 'node:http echo of 2026-07-28',
  sseFloor: '202 + event echo',
  wsFloor: 'ws echo',
  mcp: '/mcp 2025-11-25',
  stateless: '/mcp 2026-07-28',
  sse: '/sse',
  ws: '/ws',
  peer: 'McpServer with express',
} as const;

interface Comparison {
  readonly own: string;
  readonly floor: string;
  /** Of the floor's calls per second, in percent. */
  readonly goal: number;
  /** Of the floor's processor time of a call. */
  readonly cpuGoal?: number;
}

const comparisons: readonly Comparison[] = [
  { own: targetNames.mcp, floor: targetNames.jsonFloor, goal: 90, cpuGoal: 1.3 },
  { own: targetNames.stateless, floor: targetNames.statelessFloor, goal: 85 },
  { own: targetNames.ws, floor: targetNames.wsFloor, goal: 85 },
  { own: targetNames.sse, floor: targetNames.sseFloor, goal: 85 },
];

const maxTail = 3;
const leastOverPeer = 1.8;

/** The embedded server beside the floors and the peer of the same run; every ratio is of the same round. */
export function serverRows(measurements: readonly Measurement[]): BenchRow[] {
  const find = (name: string, inFlight: number): Measurement | undefined =>
    measurements.find((each) => each.name === name && each.inFlight === inFlight);
  return [1, 16].flatMap((inFlight) => {
    const compared = comparisons.flatMap(({ own, floor, ...goals }) => {
      const [measured, bare] = [find(own, inFlight), find(floor, inFlight)];
      return measured === undefined || bare === undefined ? [] : rowsBeside(measured, bare, goals);
    });
    const [own, peer] = [find(targetNames.mcp, inFlight), find(targetNames.peer, inFlight)];
    return own === undefined || peer === undefined ? compared : [...compared, besidePeer(own, peer)];
  });
}

function rowsBeside(own: Measurement, bare: Measurement, { goal, cpuGoal }: Pick<Comparison, 'goal' | 'cpuGoal'>): BenchRow[] {
  const { name, inFlight } = own;
  const what = `${name}, ${inFlight} in flight`;
  return [
    {
      what: `${what}: calls a second`,
      ...ratios(own, bare, (one, other) => (one.perSecond / other.perSecond) * 100),
      unit: '%',
      // With many in flight it is the client that can do no more: there the server's own time counts.
      goal: inFlight === 1 ? { atLeast: goal } : undefined,
      beside: `${own.perSecond.toFixed(0)} /s; ${bare.name} ${bare.perSecond.toFixed(0)} /s`,
      isInReadme: inFlight === 1,
    },
    {
      what: `${what}: processor time of a call`,
      ...ratios(own, bare, (one, other) => (one.cpuMicros ?? Number.NaN) / (other.cpuMicros ?? Number.NaN)),
      unit: '×',
      goal: cpuGoal === undefined ? undefined : { atMost: cpuGoal },
      beside: `${cpuOf(own)} µs; ${bare.name} ${cpuOf(bare)} µs`,
      isInReadme: cpuGoal !== undefined,
    },
    {
      what: `${what}: p99 / p50`,
      ...overRounds(own.rounds.map(({ p50, p99 }) => p99 / p50)),
      unit: '×',
      goal: { atMost: maxTail },
      beside: `${bare.name} ${median(bare.rounds.map(({ p50, p99 }) => p99 / p50)).toFixed(1)} ×`,
    },
  ];
}

function besidePeer(own: Measurement, peer: Measurement): BenchRow {
  return {
    what: `${own.name}, ${own.inFlight} in flight: calls a second beside an ${peer.name}`,
    ...ratios(own, peer, (one, other) => one.perSecond / other.perSecond),
    unit: '×',
    goal: { atLeast: leastOverPeer },
    beside: `${peer.perSecond.toFixed(0)} /s, ${cpuOf(peer)} µs`,
    isInReadme: true,
  };
}

function ratios(own: Measurement, bare: Measurement, ratio: (own: Round, bare: Round) => number): Pick<BenchRow, 'measured' | 'spread'> {
  return overRounds(
    own.rounds.flatMap((round, index) => {
      const other = bare.rounds[index];
      return other === undefined ? [] : [ratio(round, other)];
    }),
  );
}

function cpuOf({ rounds }: Measurement): string {
  return median(rounds.map(({ cpuMicros }) => cpuMicros ?? Number.NaN)).toFixed(0);
}
