// traffic/: protocol messages as people see them: who said what to whom (trafficLog.ts), without secrets and bounded
// (shownMessage.ts), as lines of JSON and as a script that repeats one exchange. Pure. What hands messages in is this file.

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
