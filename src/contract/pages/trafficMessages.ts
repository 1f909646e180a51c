import * as z from 'zod';

/** A request with its answer, or a message that has none, as a line of the grid. */
const trafficRow = z.object({
  number: z.int(),
  /** Milliseconds since 1970. */
  time: z.number(),
  side: z.enum(['server', 'client']),
  peerId: z.string(),
  /** Empty for a client that has not said yet. */
  peer: z.string(),
  /** Of the request: as this window sees it. */
  direction: z.enum(['sent', 'received']),
  kind: z.enum(['request', 'notification', 'answer', 'unreadable']),
  method: z.string(),
  /** The tool, prompt or resource. */
  subject: z.string(),
  /** Of the message and its answer. */
  size: z.number(),
  /** There was more than could be counted. */
  isSizeLeast: z.boolean(),
  /** Not all of it is kept. */
  isCut: z.boolean(),
  /** `waiting`: a request without an answer so far. `plain`: there is nothing to wait for. */
  state: z.enum(['waiting', 'answered', 'failed', 'plain']),
  durationMs: z.number().optional(),
});
export type TrafficRow = z.infer<typeof trafficRow>;

/** Why a message cannot be sent once more. */
const sendAgainRefusal = z.enum(['notOurs', 'method', 'tooLong']);
export type SendAgainRefusal = z.infer<typeof sendAgainRefusal>;

/** Why there can be no script that repeats it. */
const scriptRefusal = z.enum(['notARequest', 'tooLong', 'unreachable', 'notListening', 'gone']);
export type ScriptRefusal = z.infer<typeof scriptRefusal>;

const trafficDetail = z.object({
  number: z.int(),
  /** JSON. */
  message: z.string(),
  answer: z.string().optional(),
  isCut: z.boolean(),
  hasSecrets: z.boolean(),
  /** Undefined where it can be done. */
  noSendAgain: sendAgainRefusal.optional(),
  noScript: scriptRefusal.optional(),
});
export type TrafficDetail = z.infer<typeof trafficDetail>;

const trafficStatus = z.object({
  isPaused: z.boolean(),
  /** When recording began, or began anew. Milliseconds since 1970; 0 before it did. */
  since: z.number(),
  /** There was a time since then in which nothing was recorded. */
  hasGaps: z.boolean(),
  /** Goes on while the view is hidden. */
  isKept: z.boolean(),
});
export type TrafficStatus = z.infer<typeof trafficStatus>;

const trafficRows = z.object({
  /** Rows before this one are gone. */
  first: z.int(),
  /** How many had to make room. */
  dropped: z.int(),
  /** New ones and those that changed. */
  rows: z.array(trafficRow),
  /** Of `rows`: those in which the text stands that was looked for last. */
  matching: z.array(z.int()),
});
export type TrafficRows = z.infer<typeof trafficRows>;

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
  /** All rows in which the text stands. */
  'traffic/found': z.object({ text: z.string(), numbers: z.array(z.int()) }),
  'traffic/detail': trafficDetail,
} as const;
