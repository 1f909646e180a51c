import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/events.ts';
import { isJsonObject, type JsonObject, parsedJson, parsedObject } from '../../base/json.ts';
import { once } from '../../base/late.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { SharedText } from '../../base/sharedStorage.ts';
import { KeptFile, type NotWritten } from './keptFile.ts';
import type { ToolKey } from '../../contract/chat/contextBudget.ts';

/** The most tools of which runs and presets are kept; the one that was not used for longest goes first. */
const maxTools = 200;
/** The most runs of one tool that are kept: the latest ones. */
const maxRuns = 20;
/** The most presets of one tool; the oldest makes room. */
const maxPresets = 30;
/** The most characters of the name of a preset. */
const maxName = 80;
/** The limit on the JSON text of arguments. Larger ones are mostly contents of files, which exist elsewhere. */
const maxArguments = 20_000;
/** The limit on the whole file, because it is read and written at once, in the editor's own thread. */
const maxCharacters = 1_000_000;

/** Stored: additive only; what a newer version added is written back with the rest. */
const ending = once(() => z.enum(['succeeded', 'failed', 'cancelled']));
export type KeptEnding = z.infer<ReturnType<typeof ending>>;

const args = once(() => z.string().max(maxArguments).refine(isArguments));
const run = once(() => z.looseObject({ id: z.string().max(100), at: z.number(), arguments: args(), ending: ending() }));
const preset = once(() => z.looseObject({ id: z.string().max(100), name: z.string().max(maxName), arguments: args() }));
const tool = once(() =>
  z.looseObject({
    serverId: z.string(),
    tool: z.string(),
    usedAt: z.number(),
    runs: z.array(z.unknown()),
    presets: z.array(z.unknown()),
  }),
);

type KeptRun = z.infer<ReturnType<typeof run>>;
type Preset = z.infer<ReturnType<typeof preset>>;

interface KeptTool extends ToolKey {
  readonly usedAt: number;
  /** Newest first. */
  readonly runs: readonly KeptRun[];
  readonly presets: readonly Preset[];
}

export interface KeptRunsOptions {
  readonly storage: SharedText;
  /** Whether the arguments for that server hold a secret, which no file may hold. */
  readonly holdSecret: (serverId: string, args: JsonObject) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export type NotKept = 'secret' | 'tooLarge';

/** Keeps what people ran by hand: which tools, with which arguments and endings, and the arguments they saved under a name. Bounded. */
export class KeptRuns implements Disposable {
  readonly #options: KeptRunsOptions;
  readonly #file: KeptFile<readonly KeptTool[]>;

  readonly onDidChange: Event<void>;

  constructor(options: KeptRunsOptions) {
    this.#options = options;
    this.#file = new KeptFile({ storage: options.storage, read: readTools, write: writeTools, log: options.log });
    this.onDidChange = this.#file.onDidChange;
  }

  load(): Promise<void> {
    return this.#file.load();
  }

  /** The tools that were run, newest first. */
  recent(): readonly ToolKey[] {
    return this.#file.value;
  }

  of(key: ToolKey): Pick<KeptTool, 'runs' | 'presets'> {
    return this.#file.value.find((each) => isSame(each, key)) ?? { runs: [], presets: [] };
  }

  /** Notes a run. Equal arguments are kept once, with the latest ending. Resolves to the reason when the arguments are not kept. */
  async note(key: ToolKey, given: JsonObject, how: KeptEnding): Promise<NotKept | undefined> {
    const refused = this.#refusal(key, given);
    const at = this.#options.clock.wallTime();
    const text = JSON.stringify(given);
    await this.#change(key, at, (kept) =>
      refused === undefined
        ? {
            ...kept,
            runs: [{ id: randomUUID(), at, arguments: text, ending: how }, ...kept.runs.filter((each) => each.arguments !== text)],
          }
        : kept,
    );
    return refused;
  }

  mayKeep(key: ToolKey, given: JsonObject): boolean {
    return this.#refusal(key, given) === undefined;
  }

  /** Replaces a preset of the same name. */
  async savePreset(key: ToolKey, name: string, given: JsonObject): Promise<NotKept | NotWritten | undefined> {
    const refused = this.#refusal(key, given);
    if (refused !== undefined) {
      return refused;
    }
    const saved: Preset = { id: randomUUID(), name: name.trim().slice(0, maxName), arguments: JSON.stringify(given) };
    return this.#change(key, undefined, (kept) => ({
      ...kept,
      presets: [...kept.presets.filter((each) => each.name !== saved.name), saved].slice(-maxPresets),
    }));
  }

  removePreset(key: ToolKey, id: string): Promise<NotWritten | undefined> {
    return this.#change(key, undefined, (kept) => ({ ...kept, presets: kept.presets.filter((each) => each.id !== id) }));
  }

  forgetRuns(key: ToolKey): Promise<NotWritten | undefined> {
    return this.#change(key, undefined, (kept) => ({ ...kept, runs: [] }));
  }

  /** Restores what was removed. What has taken its place since stays: equal arguments, a preset of the same name. */
  putBack(key: ToolKey, before: Partial<Pick<KeptTool, 'runs' | 'presets'>>): Promise<NotWritten | undefined> {
    const runs = (kept: KeptTool): readonly KeptRun[] =>
      (before.runs ?? []).filter((old) => !kept.runs.some((each) => each.arguments === old.arguments));
    const presets = (kept: KeptTool): readonly Preset[] =>
      (before.presets ?? []).filter((old) => !kept.presets.some((each) => each.name === old.name));
    return this.#change(key, undefined, (kept) => ({
      ...kept,
      runs: [...kept.runs, ...runs(kept)].sort((one, other) => other.at - one.at),
      presets: [...kept.presets, ...presets(kept)].slice(-maxPresets),
    }));
  }

  dispose(): void {
    this.#file.dispose();
  }

  #refusal({ serverId }: ToolKey, given: JsonObject): NotKept | undefined {
    if (JSON.stringify(given).length > maxArguments) {
      return 'tooLarge';
    }
    return this.#options.holdSecret(serverId, given) ? 'secret' : undefined;
  }

  /** With `usedAt` the tool comes to the front. */
  #change(key: ToolKey, usedAt: number | undefined, change: (kept: KeptTool) => KeptTool): Promise<NotWritten | undefined> {
    return this.#file.change((tools) => {
      const { serverId, tool: name } = key;
      const known = tools.find((each) => isSame(each, key)) ?? { serverId, tool: name, usedAt: 0, runs: [], presets: [] };
      const changed = change({ ...known, usedAt: usedAt ?? known.usedAt });
      return [{ ...changed, runs: changed.runs.slice(0, maxRuns) }, ...tools.filter((each) => !isSame(each, key))]
        .sort((one, other) => other.usedAt - one.usedAt)
        .slice(0, maxTools);
    });
  }
}

function isSame(one: ToolKey, other: ToolKey): boolean {
  return one.serverId === other.serverId && one.tool === other.tool;
}

function readTools(text: string): readonly KeptTool[] {
  const file = text.length > maxCharacters ? undefined : parsedJson(text);
  const listed = isJsonObject(file) && Array.isArray(file['tools']) ? (file['tools'] as readonly unknown[]) : [];
  return listed.slice(0, maxTools).flatMap((each): KeptTool[] => {
    const { data } = tool().safeParse(each);
    return data === undefined
      ? []
      : [{ ...data, runs: readable(run(), data.runs).slice(0, maxRuns), presets: readable(preset(), data.presets).slice(0, maxPresets) }];
  });
}

/** The tools that were not used for longest are left out when the file would be too large. */
function writeTools(tools: readonly KeptTool[]): string {
  let left = maxCharacters / 2;
  const fitting = tools.filter((each) => (left -= JSON.stringify(each).length) >= 0);
  return `${JSON.stringify({ version: 1, tools: fitting }, undefined, 1)}\n`;
}

function readable<S extends z.ZodType>(schema: S, list: readonly unknown[]): z.infer<S>[] {
  return list.flatMap((each) => {
    const read = schema.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

function isArguments(text: string): boolean {
  return parsedObject(text) !== undefined;
}

/** What was removed last and can be put back. */
export type RemovedKept =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'runs'; readonly runs: readonly KeptRun[] };

/** Removes what is kept of a tool. The last removal can be undone until the next one. */
export class KeptUndo {
  readonly #kept: Pick<KeptRuns, 'of' | 'removePreset' | 'forgetRuns' | 'putBack'>;
  readonly #key: ToolKey;
  #removed: RemovedKept | undefined;

  constructor(kept: Pick<KeptRuns, 'of' | 'removePreset' | 'forgetRuns' | 'putBack'>, key: ToolKey) {
    this.#kept = kept;
    this.#key = key;
  }

  get removed(): RemovedKept | undefined {
    return this.#removed;
  }

  async removePreset(id: string): Promise<NotWritten | undefined> {
    const preset = this.#kept.of(this.#key).presets.find((each) => each.id === id);
    this.#removed = preset === undefined ? this.#removed : { kind: 'preset', preset };
    return this.#kept.removePreset(this.#key, id);
  }

  async forgetRuns(): Promise<NotWritten | undefined> {
    const { runs } = this.#kept.of(this.#key);
    this.#removed = runs.length === 0 ? this.#removed : { kind: 'runs', runs };
    return this.#kept.forgetRuns(this.#key);
  }

  async undo(): Promise<NotWritten | undefined> {
    const removed = this.#removed;
    this.#removed = undefined;
    return removed === undefined
      ? undefined
      : this.#kept.putBack(this.#key, removed.kind === 'runs' ? { runs: removed.runs } : { presets: [removed.preset] });
  }
}
