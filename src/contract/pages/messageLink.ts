// pages/: the messages between the extension host and each of its pages, and how they are read (this file).
import * as z from 'zod';
import { once } from '../../base/late.ts';

/** A set of messages: for each name the schema of its body. Both ends of a link take their types from it. */
export type MessageSet = Readonly<Record<string, z.ZodType>>;
export type MessageOf<S extends MessageSet> = { [K in keyof S & string]: { readonly name: K; readonly body: z.infer<S[K]> } }[keyof S &
  string];

const envelope = once(() => z.object({ name: z.string(), body: z.unknown() }));

/** Checks a message that came over a link; `undefined` for anything that is not exactly a known message. */
export function parseMessage<S extends MessageSet>(set: S, raw: unknown): MessageOf<S> | undefined {
  const outer = envelope().safeParse(raw);
  if (!outer.success || !Object.hasOwn(set, outer.data.name)) {
    return undefined;
  }
  const body = set[outer.data.name]?.safeParse(outer.data.body);
  return body?.success === true ? ({ name: outer.data.name, body: body.data } as MessageOf<S>) : undefined;
}
