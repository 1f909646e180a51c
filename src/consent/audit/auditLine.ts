// audit/: the record of what was decided and done: one line each, every line with the hash of the one before, so that a change by
// hand shows. No argument is in it, only names and a keyed hash. This file is the form of a line.
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { once } from '../../base/late.ts';

const short = once(() => z.string().max(1_000));

/** Names and order are a contract with whoever reads the file. */
export const auditLine = once(() =>
  z.object({
    time: z.iso.datetime(),
    principal: short(),
    /** Of an outside client: the id that the view of clients shows. */
    credential: short(),
    /** The server or the client, by the name it has for the person. */
    peer: short(),
    action: short(),
    subject: short(),
    argumentNames: z.array(z.string().max(100)).max(100),
    argumentsHash: z.string().max(100),
    decidedBy: z.enum(['person', 'remembered', 'role', 'policy', 'nobody']),
    /** `started`: something that may act has begun; what was decided about it has lines of its own. `waiting`: nobody has decided yet. */
    outcome: z.enum(['started', 'allowed', 'denied', 'succeeded', 'failed', 'cancelled', 'waiting']),
    durationMs: z.number().min(0),
    /** Empty in the first line of all. */
    previous: z.string().max(100),
  }),
);
export type AuditLine = z.infer<ReturnType<typeof auditLine>>;

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('base64url');
}

/** Vouches for the last line, which no other one does: nobody makes it without the key. */
export function sealOf(line: string, key: string, nameOf = keyName): string {
  return `${nameOf(key)} ${createHmac('sha256', key).update(`seal ${line}`).digest('base64url')}`;
}

/** Whether the seal was made with this key; where secrets are not kept, another window has another one. */
export function isSealOf(seal: string, key: string): boolean {
  return seal.startsWith(`${keyName(key)} `);
}

export function keyName(key: string): string {
  return createHash('sha256').update(`name ${key}`).digest('base64url').slice(0, 8);
}

/** The same for the text it was last asked about: the last line of a batch is what the next one begins with. */
export function rememberingLast(work: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly result: string } | undefined;
  return (text) => {
    if (last?.text !== text) {
      last = { text, result: work(text) };
    }
    return last.result;
  };
}

/** The texts of these lines, each bound to the one before it. */
export function chain(lines: readonly Omit<AuditLine, 'previous'>[], last: string | undefined, hash = hashOf): readonly string[] {
  let previous = last === undefined ? '' : hash(last);
  return lines.map((line) => {
    const text = JSON.stringify({ ...line, previous });
    previous = hash(text);
    return text;
  });
}
