import * as z from 'zod';

/** A row of the grid: a request with its answer, or a message that has no answer. */
const trafficRow = z.object({
  number: z.int(),
  /** When it was sent or received, in milliseconds since 1970. */
  time: z.number(),
  side: z.enum(['server', 'client']),
  peerId: z.string(),
  /** The name of the server or client; empty for a client that has not told its name yet. */
  peer: z.string(),
  /** The direction of the request, as this window sees it. */
  direction: z.enum(['sent', 'received']),
  kind: z.enum(['request', 'notification', 'answer', 'unreadable']),
  method: z.string(),
  /** The tool, prompt or resource that it is about. */
  subject: z.string(),
  /** The size of the message and its answer. */
  size: z.number(),
  /** The size is only a minimum, because there was more than could be counted. */
  isSizeLeast: z.boolean(),
  /** Whether only a part of the message is kept. */
  isCut: z.boolean(),
  /** `waiting`: the request has no answer so far. `plain`: the message gets no answer. */
  state: z.enum(['waiting', 'answered', 'failed', 'plain']),
  durationMs: z.number().optional(),
});
export type TrafficRow = z.infer<typeof trafficRow>;

/** Why a message cannot be sent once more. */
const sendAgainRefusal = z.enum(['notOurs', 'method', 'tooLong']);
export type SendAgainRefusal = z.infer<typeof sendAgainRefusal>;

/** Why there can be no script that repeats a message. */
const scriptRefusal = z.enum(['notARequest', 'tooLong', 'unreachable', 'notListening', 'gone']);
export type ScriptRefusal = z.infer<typeof scriptRefusal>;

const trafficDetail = z.object({
  number: z.int(),
  /** The message as JSON text. */
  message: z.string(),
  answer: z.string().optional(),
  isCut: z.boolean(),
  hasSecrets: z.boolean(),
  /** Why it cannot be sent again; left out where it can. */
  noSendAgain: sendAgainRefusal.optional(),
  noScript: scriptRefusal.optional(),
});
export type TrafficDetail = z.infer<typeof trafficDetail>;

const trafficStatus = z.object({
  isPaused: z.boolean(),
  /** When recording began, or began anew, in milliseconds since 1970; 0 before that. */
  since: z.number(),
  /** Recording was paused at some time since then. */
  hasGaps: z.boolean(),
  /** Recording goes on while the view is hidden. */
  isKept: z.boolean(),
});
export type TrafficStatus = z.infer<typeof trafficStatus>;

const trafficRows = z.object({
  /** The number of the first row that is still there. */
  first: z.int(),
  /** How many rows were dropped because there was no room. */
  dropped: z.int(),
  /** The rows that are new or have changed. */
  rows: z.array(trafficRow),
  /** The numbers of those `rows` that contain the text that was last searched for. */
  matching: z.array(z.int()),
});
export type TrafficRows = z.infer<typeof trafficRows>;

/** How many rows the traffic view shows and exports at most. */
export const maxTrafficRows = 10_000;

export const trafficToHost = {
  ready: z.object({}),
  'traffic/find': z.object({ text: z.string().max(200) }),
  'traffic/select': z.object({ number: z.int().optional() }),
  'traffic/pause': z.object({ isPaused: z.boolean() }),
  'traffic/keep': z.object({ isKept: z.boolean() }),
  'traffic/clear': z.object({}),
  'traffic/export': z.object({ numbers: z.array(z.int()).max(maxTrafficRows) }),
  'traffic/exportScript': z.object({ number: z.int() }),
  'traffic/sendAgain': z.object({ number: z.int() }),
  'traffic/runTool': z.object({}),
} as const;

export const trafficToView = {
  'traffic/status': trafficStatus,
  'traffic/rows': trafficRows,
  /** The numbers of all rows that contain the text. */
  'traffic/found': z.object({ text: z.string(), numbers: z.array(z.int()) }),
  'traffic/detail': trafficDetail,
} as const;
