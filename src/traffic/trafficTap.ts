// traffic/: protocol messages as people see them: the log of who said what to whom (trafficLog.ts), each message without secrets and
// cut (shownMessage.ts), and a script that repeats one exchange (exchangeScript.ts). Pure. This file is how messages come in.
import { hasLargeObject } from '../base/jsonText.ts';

/** Who is at the other end: a server this window uses, or an outside client of the editor's own server. */
export interface TrafficPeer {
  readonly side: 'server' | 'client';
  readonly id: string;
  /** The name that people know it by; empty while it is not known. */
  readonly name: string;
}

/** The direction of a message, as this window sees it. */
export type TrafficDirection = 'sent' | 'received';

/** Takes messages where they pass. Callers ask `isOpen` first, so that a message costs nothing more while nobody looks. */
export interface TrafficTap {
  readonly isOpen: boolean;
  /** Takes a message, as parsed JSON or as its text. Requests and answers belong together by their ids within one `channel` of the peer. */
  note(peer: TrafficPeer, direction: TrafficDirection, message: unknown, channel?: string): void;
}

/** The most members of an object that is looked at; more would take too long. */
const maxMembers = 100_000;

/** Whether a message is too large to be looked at, by its text; it is then not even parsed to be shown. */
export function isLargeText(text: string): boolean {
  return hasLargeObject(text, maxMembers);
}
