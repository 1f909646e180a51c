// traffic/: protocol messages as people see them: who said what to whom (trafficLog.ts), without secrets and bounded
// (shownMessage.ts), as lines of JSON and as a script that repeats one exchange. Pure. What hands messages in is this file.
import { hasLargeObject } from '../base/jsonText.ts';

/** Who is at the other end: a server this window uses, or an outside client of the editor's own server. */
export interface TrafficPeer {
  readonly side: 'server' | 'client';
  readonly id: string;
  /** What people know it by; empty while nobody has said. */
  readonly name: string;
}

/** As this window sees it. */
export type TrafficDirection = 'sent' | 'received';

/** Takes messages where they pass. Whoever holds one asks `isOpen` first: while nobody looks, a message costs that question. */
export interface TrafficTap {
  readonly isOpen: boolean;
  /** `message` is parsed JSON, or its text. Requests and answers belong together by their ids within one `channel` of the peer. */
  note(peer: TrafficPeer, direction: TrafficDirection, message: unknown, channel?: string): void;
}

/** To look at an object with more members would hold others up. */
const maxMembers = 100_000;
const lengthOfText = Symbol('length of the text');

/** Whether a text is one of those: it is better not even parsed to be shown. */
export function isLargeText(text: string): boolean {
  return hasLargeObject(text, maxMembers);
}

/** As `JSON.parse`. A message that is too large to be looked at is known by `largeLength` from then on: its text tells, and it itself does not. */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (typeof message === 'object' && message !== null && isLargeText(text)) {
    Object.defineProperty(message, lengthOfText, { value: text.length });
  }
  return message;
}

/** In characters of its JSON; undefined for one that can be looked at. */
export function largeLength(message: unknown): number | undefined {
  const length: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, lengthOfText) : undefined;
  return typeof length === 'number' ? length : undefined;
}
