// audit/: the record of what was decided and done. Every line holds the hash of the one before, so that a change by hand shows. It
// holds no arguments, only their names and a keyed hash. This file is the form of a line.
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { once } from '../../base/late.ts';

const short = once(() => z.string().max(1_000));

/** The schema of a line. Its names and their order are a contract with whoever reads the file. */
export const auditLine = once(() =>
  z.object({
    time: z.iso.datetime(),
    principal: short(),
    /** The id of an outside client, as the view of clients shows it. */
    credential: short(),
    /** The server or client, by the name that the person knows. */
    peer: short(),
    action: short(),
    subject: short(),
    argumentNames: z.array(z.string().max(100)).max(100),
    argumentsHash: z.string().max(100),
    decidedBy: z.enum(['person', 'remembered', 'role', 'policy', 'nobody']),
    /**
     * How it ended. `started`: something that may act has begun, and decisions about it have lines of their own. `waiting`: nobody has
     * decided yet.
     */
    outcome: z.enum(['started', 'allowed', 'denied', 'succeeded', 'failed', 'cancelled', 'waiting']),
    durationMs: z.number().min(0),
    /** The hash of the line before; empty in the very first line. */
    previous: z.string().max(100),
  }),
);
export type AuditLine = z.infer<ReturnType<typeof auditLine>>;

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('base64url');
}

/** The seal of the last line, which no later line vouches for. Nobody can make it without the key. */
export function sealOf(line: string, key: string, nameOf = keyName): string {
  return `${nameOf(key)} ${createHmac('sha256', key).update(`seal ${line}`).digest('base64url')}`;
}

/** Whether a seal was made with this key. On a machine that does not store secrets, each window has its own key. */
export function isSealOf(seal: string, key: string): boolean {
  return seal.startsWith(`${keyName(key)} `);
}

/**
 * Whether the last line is not the one that was sealed, so that lines were taken away after it, or added. A window that died while it
 * wrote leaves several seals; those with the keys of other windows tell nothing.
 */
export function isEndChanged(last: string | undefined, seals: string, key: string): boolean {
  const all = seals === '' ? [] : seals.split('\n');
  return all.length > 0 && all.every((each) => isSealOf(each, key)) && (last === undefined || !all.includes(sealOf(last, key)));
}

export function keyName(key: string): string {
  return createHash('sha256').update(`name ${key}`).digest('base64url').slice(0, 8);
}

/** A function that remembers its last result: the last line of a batch is the first that the next batch needs. */
export function rememberingLast(work: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly result: string } | undefined;
  return (text) => {
    if (last?.text !== text) {
      last = { text, result: work(text) };
    }
    return last.result;
  };
}

/** The texts of these lines, each with the hash of the one before. */
export function chain(lines: readonly Omit<AuditLine, 'previous'>[], last: string | undefined, hash = hashOf): readonly string[] {
  let previous = last === undefined ? '' : hash(last);
  return lines.map((line) => {
    const text = JSON.stringify({ ...line, previous });
    previous = hash(text);
    return text;
  });
}
