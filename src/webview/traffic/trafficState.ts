import { isJsonObject } from '../../base/json.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type {
  ScriptRefusal,
  SendAgainRefusal,
  TrafficDetail,
  TrafficRow,
  TrafficStatus,
  trafficToView,
} from '../../contract/pages/trafficMessages.ts';
import { formatHour, formatNumber } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

/** What the page knows of the traffic. */
export interface TrafficState {
  readonly rows: ReadonlyMap<number, TrafficRow>;
  readonly dropped: number;
  /** What is recorded right now; undefined until the host has answered `ready`. */
  readonly status: TrafficStatus | undefined;
  /** The answer to the last search. */
  readonly found: { readonly text: string; readonly numbers: ReadonlySet<number> };
  readonly detail: TrafficDetail | undefined;
}

export interface TrafficFilter {
  /** The id of a server or client; empty shows all. */
  readonly peerId: string;
  /** The name of the chosen server or client, whose rows may be gone. */
  readonly peerName: string;
  readonly method: string;
  readonly isOnlyErrors: boolean;
}

/** What the person searches for. It outlives the page, which is closed whenever the panel shows something else. */
export interface TrafficSearch extends TrafficFilter {
  readonly text: string;
}

/** Reads the search that the page stored before, as far as it is one. */
export function readSearch(stored: unknown): TrafficSearch {
  const read = isJsonObject(stored) ? stored : {};
  const textOf = (name: 'text' | 'peerId' | 'peerName' | 'method'): string =>
    typeof read[name] === 'string' ? read[name].slice(0, 200) : '';
  const [text, peerId, peerName, method] = [textOf('text'), textOf('peerId'), textOf('peerName'), textOf('method')];
  return { text, peerId, peerName, method, isOnlyErrors: read['isOnlyErrors'] === true };
}

export const noSearch: TrafficSearch = readSearch(undefined);

/** The height of a row in pixels, as in the style sheet. */
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

/** The rows that match the filter, in the order they came: numbers only rise. */
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

/** The servers and clients by id, with their latest name. The chosen one is included when none of its rows is left. */
export function peersOf(
  rows: ReadonlyMap<number, TrafficRow>,
  chosen: Pick<TrafficFilter, 'peerId' | 'peerName'>,
): ReadonlyMap<string, Pick<TrafficRow, 'peer' | 'side'>> {
  const kept = chosen.peerId === '' ? [] : [[chosen.peerId, { peer: chosen.peerName, side: 'server' }] as const];
  return new Map([...kept, ...[...rows.values()].map(({ peerId, peer, side }) => [peerId, { peer, side }] as const)]);
}

/** The methods to choose from. The chosen one is included when none of its rows is left. */
export function methodsOf(rows: ReadonlyMap<number, TrafficRow>, chosen: string): readonly string[] {
  return [...new Set([chosen, ...[...rows.values()].map(({ method }) => method)])].filter((method) => method !== '').sort();
}

/** How long the bar of a duration is, from 0 to 1. It is logarithmic: one slow answer must not make all others look alike. */
export function durationShare(durationMs: number, longestMs: number): number {
  return longestMs <= 0 ? 0 : Math.min(1, Math.log1p(Math.max(0, durationMs)) / Math.log1p(longestMs));
}

export function peerName({ peer, side }: Pick<TrafficRow, 'peer' | 'side'>): string {
  return peer !== '' ? peer : side === 'client' ? t('A client') : t('A server');
}

export function directionWord(direction: TrafficRow['direction']): string {
  return direction === 'sent' ? t('Sent') : t('Received');
}

export function exchangeStateWord({ state, kind }: Pick<TrafficRow, 'state' | 'kind'>): string {
  switch (state) {
    case 'waiting':
      return t('No answer yet');
    case 'answered':
      return t('Answered');
    case 'failed':
      return t('Failed');
    case 'plain':
      return kind === 'notification' ? t('Notification') : kind === 'answer' ? t('Answer without its request') : t('No protocol message');
  }
}

/** The time of day to the millisecond, which is what one looks for here. */
export function clockTime(time: number): string {
  const date = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Says how many rows are shown of how many and since when, and that nothing was recorded for a time in between. */
export function statusText({ rows, dropped, status }: Pick<TrafficState, 'rows' | 'dropped' | 'status'>, shown: number): string {
  const [some, all] = [formatNumber(shown), formatNumber(rows.size)];
  const since = status?.since ?? 0;
  const count =
    since === 0
      ? t('{0} messages', all)
      : shown === rows.size
        ? t('{0} messages since {1}', all, formatHour(since))
        : t('{0} of {1} messages since {2}', some, all, formatHour(since));
  return [
    ...(status?.isPaused === true ? [t('Paused')] : []),
    count,
    ...(status?.hasGaps === true ? [t('not while hidden or paused')] : []),
    ...(dropped === 0 ? [] : [t('{0} older ones made room', formatNumber(dropped))]),
  ].join(' · ');
}

/** Says why there are no rows yet. */
export function emptyText({ isPaused, since }: { readonly isPaused: boolean; readonly since: number }): string {
  return isPaused ? t('Recording is paused.') : since === 0 ? '' : t('Recording since {0}.', formatHour(since));
}

export function sendAgainRefusalText(reason: SendAgainRefusal): string {
  switch (reason) {
    case 'notOurs':
      return t('Only a request of this window to a server can be sent again.');
    case 'method':
      return t('Only calls of tools, reads of resources and prompts can be sent again.');
    case 'tooLong':
      return t('It was too long to be kept for sending it again.');
  }
}

export function scriptRefusalText(reason: ScriptRefusal): string {
  switch (reason) {
    case 'notARequest':
      return t('Only a request to a server can be repeated by a script.');
    case 'tooLong':
      return t('It is too long to be kept whole, so no script can repeat it.');
    case 'unreachable':
      return t('A script reaches programs and plain HTTP servers only: not WebSocket, SSE or servers with certificates of their own.');
    case 'gone':
      return t('Its server is not configured any more, or cannot be started as it is.');
    case 'notListening':
      return t('A script reaches the editor’s own server only while outside clients can.');
  }
}
