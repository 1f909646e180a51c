import { isJsonObject } from '../../base/json.ts';
import type { MessageOf } from '../../contract/messageLink.ts';
import type { TrafficDetail, TrafficRow, TrafficStatus, trafficToView } from '../../contract/trafficMessages.ts';

/** What the page knows of the traffic. */
export interface TrafficState {
  readonly rows: ReadonlyMap<number, TrafficRow>;
  readonly dropped: number;
  /** Undefined until the host has answered `ready`. */
  readonly status: TrafficStatus | undefined;
  /** The answer to the last search. */
  readonly found: { readonly text: string; readonly numbers: ReadonlySet<number> };
  readonly detail: TrafficDetail | undefined;
}

export interface TrafficFilter {
  /** Empty: all of them. */
  readonly peerId: string;
  /** What the chosen one was called: its rows may be gone. */
  readonly peerName: string;
  readonly method: string;
  readonly isOnlyErrors: boolean;
}

/** What the person looks for. It outlives the page, which goes whenever the panel shows something else. */
export interface TrafficWish extends TrafficFilter {
  readonly text: string;
}

/** Of what the page stored before, as far as it is one. */
export function readWish(stored: unknown): TrafficWish {
  const read = isJsonObject(stored) ? stored : {};
  const textOf = (name: 'text' | 'peerId' | 'peerName' | 'method'): string =>
    typeof read[name] === 'string' ? read[name].slice(0, 200) : '';
  const [text, peerId, peerName, method] = [textOf('text'), textOf('peerId'), textOf('peerName'), textOf('method')];
  return { text, peerId, peerName, method, isOnlyErrors: read['isOnlyErrors'] === true };
}

export const noWish: TrafficWish = readWish(undefined);

/** In pixels, as in the style sheet. */
export const rowHeight = 22;

export const noTraffic: TrafficState = {
  rows: new Map(),
  dropped: 0,
  status: undefined,
  found: { text: '', numbers: new Set() },
  detail: undefined,
};

export function nextTraffic(state: TrafficState, message: MessageOf<typeof trafficToView>): TrafficState {
  switch (message.name) {
    case 'traffic/status':
      return { ...state, status: message.body };
    case 'traffic/found':
      return { ...state, found: { text: message.body.text, numbers: new Set(message.body.numbers) } };
    case 'traffic/detail':
      return { ...state, detail: message.body };
    case 'traffic/rows': {
      const { first, dropped, rows, matching } = message.body;
      const kept = new Map([...state.rows].filter(([number]) => number >= first));
      rows.forEach((row) => kept.set(row.number, row));
      const numbers = [...state.found.numbers, ...matching].filter((number) => number >= first);
      const found = { ...state.found, numbers: new Set(numbers) };
      const detail = state.detail !== undefined && state.detail.number >= first ? state.detail : undefined;
      return { ...state, rows: kept, dropped, found, detail };
    }
  }
}

/** What the filter leaves, in the order it came: numbers only rise. */
export function shownRows(
  { rows, found }: TrafficState,
  { peerId, method, isOnlyErrors }: Omit<TrafficFilter, 'peerName'>,
): readonly TrafficRow[] {
  return [...rows.values()].filter(
    (row) =>
      (found.text === '' || found.numbers.has(row.number)) &&
      (peerId === '' || row.peerId === peerId) &&
      (method === '' || row.method === method) &&
      (!isOnlyErrors || row.state === 'failed'),
  );
}

/** The names behind the ids, the newest for each. Also the one that is chosen, when none of it is left. */
export function peersOf(
  rows: ReadonlyMap<number, TrafficRow>,
  chosen: Pick<TrafficFilter, 'peerId' | 'peerName'>,
): ReadonlyMap<string, Pick<TrafficRow, 'peer' | 'side'>> {
  const kept = chosen.peerId === '' ? [] : [[chosen.peerId, { peer: chosen.peerName, side: 'server' }] as const];
  return new Map([...kept, ...[...rows.values()].map(({ peerId, peer, side }) => [peerId, { peer, side }] as const)]);
}

/** Also the one that is chosen, when none of it is left. */
export function methodsOf(rows: ReadonlyMap<number, TrafficRow>, chosen: string): readonly string[] {
  return [...new Set([chosen, ...[...rows.values()].map(({ method }) => method)])].filter((method) => method !== '').sort();
}

/** How long a bar is, from 0 to 1: one slow answer must not make all others look alike. */
export function shareOf(durationMs: number, longestMs: number): number {
  return longestMs <= 0 ? 0 : Math.min(1, Math.log1p(Math.max(0, durationMs)) / Math.log1p(longestMs));
}
