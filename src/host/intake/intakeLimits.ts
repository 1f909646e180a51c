// intake/: the one door for what servers send, right behind the transports. The text of a message is looked at before it is parsed
// (messageText.ts), each of its fields is bounded (boundMessage.ts) in slices of work (intakeLink.ts), lists are read to their end
// and not over and over (listReading.ts). This file is the table of limits. Whoever stands behind the door bounds nothing again.

/**
 * How much of each thing is taken in. Characters are weighed: one that is not seen counts for `invisible` more, because everybody who
 * shows it writes it out. What is longer is cut and says so; what cannot be cut (a name, an address, data) is left out or refused.
 */
export const intakeLimits = {
  /** How much more than another character one counts that is not seen. */
  invisible: 40,
  /** What one message may have. A parser takes long for the last three; `escapes` are the backslashes in the texts. */
  message: { bytes: 16 * 1024 * 1024, parts: 150_000, members: 20_000, escapes: 1_000_000 },
  /** How many messages are taken in one turn of the event loop, and how many may wait for theirs. */
  perTurn: 100,
  waiting: 10_000,

  name: 1_000,
  uri: 8_000,
  title: 1_000,
  description: 16_000,
  instructions: 16_000,
  capabilities: 50_000,
  icons: 8,
  /** What a field holds that is not named here, such as `_meta`. */
  other: 64 * 1024,

  /** `item`, `values` and `levels` are of one entry, `total` is the JSON of all of them. */
  list: { pages: 100, items: 2_000, item: 256 * 1024, values: 5_000, levels: 64, total: 4 * 1024 * 1024 },
  promptArguments: 100,
  completions: 100,

  /** A result of a tool or a prompt: its parts, and the texts, Base64 and structured values in all of them together. */
  result: { parts: 500, text: 2_000_000, media: 12_000_000, values: 50_000 },
  /** Of a resource whose bytes are more than its reader takes, nothing is taken. */
  resource: { parts: 500, text: 4_000_000, media: Infinity, size: 10 * 1024 * 1024 },

  progress: 1_000,
  logMessage: 4_000,
  logger: 100,
  error: 4_000,
  notification: 64 * 1024,
  /** A request of the server. Only one for the model may have pictures, which count by their length. */
  request: { values: 2_000, weight: 256 * 1024 },
  modelRequest: { values: 10_000, weight: 12_000_000 },
} as const;
