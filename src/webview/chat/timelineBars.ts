import type { ChatPart, ToolCallPart, ToolCallState } from '../../contract/chatState.ts';

export interface TimelineBar {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly state: ToolCallState;
  readonly elapsedMs: number;
  /** Shares of the whole, from 0 to 1. */
  readonly from: number;
  readonly width: number;
}

export interface Timeline {
  /** From the start of the first call to the end of the last. */
  readonly totalMs: number;
  readonly bars: readonly TimelineBar[];
}

const minBars = 2;
const maxBars = 60;

type Timed = ToolCallPart & { readonly startedAtMs: number; readonly elapsedMs: number };

/** When each call of a turn ran; `undefined` for fewer than two, which need no picture. */
export function timelineOf(parts: readonly ChatPart[]): Timeline | undefined {
  const calls = parts.filter(
    (part): part is Timed => part.kind === 'toolCall' && part.startedAtMs !== undefined && part.elapsedMs !== undefined,
  );
  if (calls.length < minBars) {
    return undefined;
  }
  const shown = calls.slice(0, maxBars);
  const start = Math.min(...shown.map(({ startedAtMs }) => startedAtMs));
  const totalMs = Math.max(...shown.map(({ startedAtMs, elapsedMs }) => startedAtMs + elapsedMs)) - start;
  const share = (milliseconds: number): number => (totalMs > 0 ? milliseconds / totalMs : 0);
  const bars = shown.map(({ id, server, tool, state, startedAtMs, elapsedMs }) => ({
    id,
    server,
    tool,
    state,
    elapsedMs,
    from: share(startedAtMs - start),
    width: share(elapsedMs),
  }));
  return { totalMs, bars };
}
