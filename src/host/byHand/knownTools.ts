import * as z from 'zod';
import { canonicalJson, isJsonObject, parsedJson } from '../../base/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { once } from '../../base/late.ts';
import type { SharedText } from '../../base/sharedStorage.ts';
import { claim } from '../../contract/questions/rolesAndClaims.ts';
import { claimsOf } from '../tools/callRequest.ts';
import type { ServerSnapshot, ToolInfo } from '../shared/serverState.ts';
import { KeptFile } from './keptFile.ts';

/** The most servers whose tools are remembered; the one whose tools were noted longest ago goes first. */
const maxServers = 50;
/** The most tools of one server that are remembered. */
const maxTools = 200;
/** The most characters of a tool's name and title; a tool with a longer name is left out, a longer title is cut. */
const maxName = 200;
/** The most characters of a tool's description that are remembered. */
const maxDescription = 400;
/** The limit on the whole file, because it is read and written at once, in the editor's own thread. */
const maxCharacters = 1_000_000;

const knownTool = once(() =>
  z.object({
    name: z.string().max(maxName),
    title: z.string().max(maxName).optional(),
    description: z.string().max(maxDescription),
    claims: z.array(claim()),
  }),
);
/** As much of a tool as people need to choose it. */
export type KnownTool = z.infer<ReturnType<typeof knownTool>>;

const knownServer = once(() => z.object({ id: z.string(), seenAt: z.number(), tools: z.array(knownTool()).max(maxTools) }));
type KnownServer = z.infer<ReturnType<typeof knownServer>>;

export interface KnownToolsOptions {
  readonly storage: SharedText;
  readonly clock: Clock;
  readonly log: Log;
}

/** The tools that servers had when they last ran, so that one can be chosen before its server runs again. Bounded. */
export class KnownTools implements Disposable {
  readonly #file: KeptFile<readonly KnownServer[]>;
  readonly #clock: Clock;
  /** The lists that were compared last. Most changes of a server do not concern its tools, so the same list is skipped. */
  readonly #looked = new Map<string, readonly ToolInfo[]>();

  constructor({ storage, clock, log }: KnownToolsOptions) {
    this.#clock = clock;
    this.#file = new KeptFile({ storage, read: readServers, write: writeServers, log });
  }

  load(): Promise<void> {
    return this.#file.load();
  }

  /** The tools as they were known last; empty for a server that was never seen. */
  of(serverId: string): readonly KnownTool[] {
    return this.#file.value.find(({ id }) => id === serverId)?.tools ?? [];
  }

  /** Stores what is new of the running servers. A built-in server always runs and is left out. */
  async look(servers: readonly ServerSnapshot[]): Promise<void> {
    const fresh = servers.filter(
      ({ id, scope, state, tools }) => scope !== 'builtIn' && state.kind === 'ready' && tools.length > 0 && this.#looked.get(id) !== tools,
    );
    const changed = fresh.flatMap(({ id, tools }) => {
      this.#looked.set(id, tools);
      const now = tools
        .filter(({ name }) => name.length <= maxName)
        .slice(0, maxTools)
        .map(toKnown);
      return canonicalJson(now) === canonicalJson(this.of(id)) ? [] : [{ id, seenAt: this.#clock.wallTime(), tools: now }];
    });
    if (changed.length > 0) {
      await this.#file.change((known) => {
        const others = known.filter(({ id }) => !changed.some((each) => each.id === id));
        return [...changed, ...others].sort((one, other) => other.seenAt - one.seenAt).slice(0, maxServers);
      });
    }
  }

  dispose(): void {
    this.#file.dispose();
  }
}

function toKnown({ name, title, description, annotations }: ToolInfo): KnownTool {
  return {
    name,
    ...(title === undefined ? {} : { title: title.slice(0, maxName) }),
    description: description.slice(0, maxDescription),
    claims: claimsOf(annotations ?? {}),
  };
}

function readServers(text: string): readonly KnownServer[] {
  const file = text.length > maxCharacters ? undefined : parsedJson(text);
  const listed = isJsonObject(file) && Array.isArray(file['servers']) ? (file['servers'] as readonly unknown[]) : [];
  return listed.slice(0, maxServers).flatMap((each) => {
    const read = knownServer().safeParse(each);
    return read.success ? [read.data] : [];
  });
}

function writeServers(servers: readonly KnownServer[]): string {
  let left = maxCharacters / 2;
  const fitting = servers.filter((each) => (left -= JSON.stringify(each).length) >= 0);
  return `${JSON.stringify({ version: 1, servers: fitting }, undefined, 1)}\n`;
}
