import * as z from 'zod';
import { once } from '../base/late.ts';

/**
 * What the language server of configuration files and the editor say to each other beside the protocol: how the servers in a
 * file are right now. The language server starts nothing itself and keeps none of it.
 */
export const liveMethods = { lenses: 'duplex/lenses', facts: 'duplex/facts', changed: 'duplex/changed' } as const;

/** The most characters of the name of a server that is asked about. */
export const maxServerName = 1_000;
/** The most servers of one document that are asked about. */
export const maxServersAsked = 2_000;

/** Asks for what stands above each of these servers of a document. */
export const lensesParams = once(() => z.object({ uri: z.string(), names: z.array(z.string().max(maxServerName)).max(maxServersAsked) }));

/** Asks what is known of a server, or of one text of its definition. */
export const factsParams = once(() =>
  z.object({
    uri: z.string(),
    name: z.string().max(maxServerName),
    /** The text that the person points at, with its variables as they are written; none where they point at the name. */
    text: z.string().max(10_000).optional(),
    /** Whether that text is the program to start. */
    isCommand: z.boolean().optional(),
  }),
);
export type FactsParams = z.infer<ReturnType<typeof factsParams>>;

/** One entry above a server. Without a command it only says something. */
export interface ServerLens {
  readonly title: string;
  readonly command?: string | undefined;
  readonly serverId: string;
}

/** The buttons of each server, in the order of the names that were asked about. */
export type LensesResult = readonly (readonly ServerLens[])[];

/** Sentences in the person's language, as plain text. */
export interface FactsResult {
  readonly lines: readonly string[];
}

const jsonPath = once(() => z.array(z.union([z.string(), z.number()])).max(10));

/** The argument of the command that takes a secret out of a file. */
export const secretToMove = once(() =>
  z.object({ uri: z.string(), server: z.string().max(maxServerName), definition: jsonPath(), path: jsonPath(), inputs: jsonPath() }),
);
export type SecretToMove = z.infer<ReturnType<typeof secretToMove>>;

/** The argument of the command that copies a server in the form of another tool. */
export const serverToCopy = once(() => z.object({ text: z.string().max(1_000_000) }));
