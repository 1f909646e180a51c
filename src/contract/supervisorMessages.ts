import * as z from 'zod';

/**
 * What the extension host and its supervisor say to each other over one pair of pipes: a JSON text per line. The host starts
 * servers and owns their pipes; the supervisor knows of them, so that their trees end when the host is gone.
 */
const child = z.string().min(1).max(100);

export const toSupervisor = z.discriminatedUnion('type', [
  /** Before it is started: everything it starts has `marker` (`NAME=value`) in its environment. */
  z.object({ type: z.literal('expect'), child, marker: z.string().min(1).max(200) }),
  z.object({ type: z.literal('watch'), child, pid: z.number().int().positive() }),
  /** It could not be started. */
  z.object({ type: z.literal('forget'), child }),
  /** The process itself is gone; what it left behind is not. */
  z.object({ type: z.literal('exited'), child }),
  z.object({ type: z.literal('stop'), child }),
]);
export type ToSupervisor = z.infer<typeof toSupervisor>;

export const fromSupervisor = z.discriminatedUnion('type', [
  /** Its family has been looked at: now it may be told to end. */
  z.object({ type: z.literal('closeInput'), child }),
  /** The process and all it started are gone; `survivors` counts those that could not be ended. */
  z.object({ type: z.literal('ended'), child, survivors: z.number().int() }),
]);
export type FromSupervisor = z.infer<typeof fromSupervisor>;

/** Far more than the longest message. */
export const maxSupervisorLine = 10_000;

export function encodeMessage(message: ToSupervisor | FromSupervisor): string {
  return `${JSON.stringify(message)}\n`;
}
