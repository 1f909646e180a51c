import * as z from 'zod';

/**
 * What the extension host and its supervisor say to each other over one pair of pipes. A frame is two 32-bit lengths
 * (big-endian), a JSON header and raw bytes: a server's messages pass through without being quoted a second time.
 */
const child = z.string().min(1).max(100);

export const toSupervisor = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    child,
    /** An absolute path; never looked up, never given to a shell. */
    command: z.string().min(1),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    cwd: z.string().min(1),
  }),
  /** The bytes go to the child's standard input. */
  z.object({ type: z.literal('write'), child }),
  z.object({ type: z.literal('stop'), child }),
]);
export type ToSupervisor = z.infer<typeof toSupervisor>;

export const endCause = z.enum(['exited', 'stopped', 'lineTooLong']);
export type EndCause = z.infer<typeof endCause>;

export const fromSupervisor = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), child, pid: z.number().int() }),
  z.object({ type: z.literal('startFailed'), child, code: z.string(), message: z.string() }),
  /** The bytes are one line of the child's standard output, without its line break. */
  z.object({ type: z.literal('line'), child }),
  /** `dropped` lines came too fast to be passed on. */
  z.object({ type: z.literal('errorLines'), child, lines: z.array(z.string()), dropped: z.number().int() }),
  /** So many bytes have reached the child. */
  z.object({ type: z.literal('written'), child, bytes: z.number().int() }),
  /** The process itself is gone: what waits for it can fail at once. */
  z.object({
    type: z.literal('exited'),
    child,
    cause: endCause,
    code: z.number().int().nullable(),
    signal: z.string().nullable(),
    lastErrorLines: z.array(z.string()),
  }),
  /** The process and all it started are gone; `survivors` counts those that could not be ended. */
  z.object({ type: z.literal('ended'), child, survivors: z.number().int() }),
]);
export type FromSupervisor = z.infer<typeof fromSupervisor>;

/** A longer line from a server is not a message but an attack or an accident. */
export const maxLineBytes = 16 * 1024 * 1024;
const maxHeaderBytes = 8 * 1024 * 1024;
const maxPayloadBytes = 2 * maxLineBytes;
const prefixLength = 8;

export interface Frame {
  readonly header: unknown;
  readonly payload: Uint8Array;
}

/** The pieces of one frame, to be written one after the other. */
export function encodeFrame(header: ToSupervisor | FromSupervisor, payload: Uint8Array = new Uint8Array()): readonly Uint8Array[] {
  const encoded = new TextEncoder().encode(JSON.stringify(header));
  if (encoded.length > maxHeaderBytes || payload.length > maxPayloadBytes) {
    throw new RangeError('The message is too long for the pipe to the supervisor.');
  }
  const head = new Uint8Array(prefixLength + encoded.length);
  const lengths = new DataView(head.buffer);
  lengths.setUint32(0, encoded.length);
  lengths.setUint32(4, payload.length);
  head.set(encoded, prefixLength);
  return payload.length === 0 ? [head] : [head, payload];
}

/** Cuts a byte stream back into frames. Throws when the other side does not speak this protocol. */
export class FrameDecoder {
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #needed = prefixLength;

  push(chunk: Uint8Array): Frame[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const frames: Frame[] = [];
    // Nothing is joined before a whole frame is there: joining at every chunk would make a long one cost its square.
    while (this.#buffered >= this.#needed) {
      const bytes = this.#join();
      const frame = this.#cut(bytes);
      if (frame !== undefined) {
        frames.push(frame);
      }
    }
    return frames;
  }

  #join(): Uint8Array {
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) {
      return only;
    }
    const joined = new Uint8Array(this.#buffered);
    let offset = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    this.#chunks = [joined];
    return joined;
  }

  #cut(bytes: Uint8Array): Frame | undefined {
    const lengths = new DataView(bytes.buffer, bytes.byteOffset, prefixLength);
    const headerLength = lengths.getUint32(0);
    const payloadLength = lengths.getUint32(4);
    if (headerLength > maxHeaderBytes || payloadLength > maxPayloadBytes) {
      throw new RangeError('The pipe to the supervisor carries something else than its messages.');
    }
    const headerEnd = prefixLength + headerLength;
    const end = headerEnd + payloadLength;
    if (this.#buffered < end) {
      this.#needed = end;
      return undefined;
    }
    this.#chunks = bytes.length === end ? [] : [bytes.subarray(end)];
    this.#buffered -= end;
    this.#needed = prefixLength;
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(prefixLength, headerEnd)));
    return { header, payload: bytes.subarray(headerEnd, end) };
  }
}
