// registry/: search in an MCP Registry and installation from it: what an entry says (this file), the client, and how an entry becomes
// a definition of our settings. Everything in an entry was written by a stranger.
import * as z from 'zod';
import { once } from '../base/late.ts';

/** The most characters of an address, a value or a choice; what has a longer one cannot be read. */
const maxText = 4_000;
/** The most arguments, headers or environment variables in one list of an entry. */
const maxInputs = 100;
/** The most choices of one input. */
const maxChoices = 200;
/** The most packages, and the most remote addresses, of one entry. */
const maxWays = 20;

/** What may be left out, and what some registries write as null instead. */
function maybe<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return schema.nullish().transform((value): z.output<T> | undefined => value ?? undefined);
}

/** A text for people: too much of it is cut, and none of it decides anything. */
function prose(most: number): z.ZodType<string> {
  return z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'string' ? value.slice(0, most) : ''));
}

const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true);

const inputMembers = {
  description: prose(1_000),
  isRequired: flag,
  isSecret: flag,
  format: z.enum(['string', 'number', 'boolean', 'filepath']).catch('string'),
  default: maybe(z.string().max(maxText)),
  placeholder: prose(200),
  value: maybe(z.string().max(maxText)),
  choices: maybe(z.array(z.string().max(maxText)).max(maxChoices)),
};

/** Something that a person may have to fill in. A fixed `value` is not theirs to change. */
const registryInput = z.object(inputMembers);
export type RegistryInput = Readonly<z.output<typeof registryInput>>;

const withVariables = { ...inputMembers, variables: maybe(z.record(z.string().max(200), registryInput)) };
const keyValueInput = z.object({ ...withVariables, name: z.string().min(1).max(200) });

/** An argument of a command line. */
const registryArgument = z.discriminatedUnion('type', [
  z.object({ ...withVariables, type: z.literal('positional'), valueHint: prose(200), isRepeated: flag }),
  z.object({ ...withVariables, type: z.literal('named'), name: z.string().min(1).max(200), isRepeated: flag }),
]);
export type RegistryArgument = Readonly<z.output<typeof registryArgument>>;
export type KeyValueInput = Readonly<z.output<typeof keyValueInput>>;
/** An input whose fixed value may have `{variables}` in it. */
export type VariableInput = RegistryArgument | KeyValueInput;

function many<T extends z.ZodType>(schema: T): z.ZodType<readonly z.output<T>[]> {
  return z
    .array(schema)
    .max(maxInputs)
    .nullish()
    .transform((value): readonly z.output<T>[] => value ?? []);
}

const registryPackage = once(() =>
  z.object({
    registryType: z.string().min(1).max(100),
    identifier: z.string().min(1).max(1_000),
    version: maybe(z.string().max(255)),
    fileSha256: maybe(z.string().max(100)),
    registryBaseUrl: maybe(z.string().max(1_000)),
    runtimeHint: prose(200),
    transport: z.object({ type: z.string().max(100) }),
    runtimeArguments: many(registryArgument),
    packageArguments: many(registryArgument),
    environmentVariables: many(keyValueInput),
  }),
);
export type RegistryPackage = Readonly<z.output<ReturnType<typeof registryPackage>>>;

const registryRemote = once(() =>
  z.object({
    type: z.enum(['streamable-http', 'sse']),
    url: z.string().min(1).max(maxText),
    headers: many(keyValueInput),
    variables: maybe(z.record(z.string().max(200), registryInput)),
  }),
);
export type RegistryRemote = Readonly<z.output<ReturnType<typeof registryRemote>>>;

const official = 'io.modelcontextprotocol.registry/official';

const listedServer = once(() =>
  z.object({
    server: z.object({
      name: z.string().min(3).max(200),
      title: prose(200),
      description: prose(1_000),
      version: z.string().min(1).max(255),
      websiteUrl: prose(1_000),
      repository: z.object({ url: prose(1_000) }).catch({ url: '' }),
      packages: maybe(z.array(z.unknown()).max(maxWays)),
      remotes: maybe(z.array(z.unknown()).max(maxWays)),
    }),
    _meta: z
      .object({ [official]: z.object({ status: prose(20), updatedAt: prose(40), publishedAt: prose(40) }) })
      .catch({ [official]: { status: '', updatedAt: '', publishedAt: '' } }),
  }),
);

/** The newest version of a server, as a registry lists it (`server.json` of 2025-12-11). */
export interface RegistryEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** The addresses of the pages about it; empty where there is none that a browser could open. */
  readonly website: string;
  readonly repository: string;
  /** When the entry was changed last, as a date in ISO's form; empty where it does not say. */
  readonly updated: string;
  readonly isDeprecated: boolean;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
  /** The registry itself is on this machine. */
  readonly isLocal: boolean;
  /** How many packages and remotes are not written as the schema wants it. */
  readonly unreadable: number;
}

/** Reads one entry of a list. Undefined for what is not one, and for servers that were taken back. */
export function readEntry(raw: unknown, isLocal = false): RegistryEntry | undefined {
  const { data } = listedServer().safeParse(raw);
  if (data === undefined) {
    return undefined;
  }
  const { server, _meta } = data;
  const { status, updatedAt, publishedAt } = _meta[official];
  const packages = (server.packages ?? []).flatMap((each) => registryPackage().safeParse(each).data ?? []);
  const remotes = (server.remotes ?? []).flatMap((each) => registryRemote().safeParse(each).data ?? []);
  const all = (server.packages?.length ?? 0) + (server.remotes?.length ?? 0);
  return status === 'deleted'
    ? undefined
    : {
        name: server.name,
        title: server.title === '' ? server.name : server.title,
        description: server.description,
        version: server.version,
        website: pageAddress(server.websiteUrl),
        repository: pageAddress(server.repository.url),
        updated: dateOf(updatedAt === '' ? publishedAt : updatedAt),
        isDeprecated: status === 'deprecated',
        packages,
        remotes,
        isLocal,
        unreadable: all - packages.length - remotes.length,
      };
}

function pageAddress(text: string): string {
  return URL.canParse(text) && new URL(text).protocol === 'https:' ? new URL(text).href : '';
}

function dateOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

const listed = once(() =>
  z.object({
    servers: z.array(z.unknown()),
    metadata: z.object({ nextCursor: maybe(z.string().max(2_000)) }).catch({ nextCursor: undefined }),
  }),
);

/** One answer of a registry. */
export interface RegistryPage {
  readonly entries: readonly RegistryEntry[];
  /** Where the list goes on; undefined at its end. */
  readonly nextCursor: string | undefined;
}

/** Reads one page of a list, of which at most so many entries count. Undefined for anything else. */
export function readPage(raw: unknown, most: number, isLocal = false): RegistryPage | undefined {
  const { data } = listed().safeParse(raw);
  return (
    data && {
      entries: data.servers.slice(0, most).flatMap((each) => readEntry(each, isLocal) ?? []),
      nextCursor: data.metadata.nextCursor === '' ? undefined : data.metadata.nextCursor,
    }
  );
}
