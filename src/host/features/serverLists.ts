import type { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { skillsExtension } from '../../contract/protocolNames.ts';
import { retryRead } from '../shared/failures.ts';
import { isUnknownMethod, type Page, readAllPages, ReadingOrder, Refresher } from '../intake/listReading.ts';
import { type Client } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/failures.ts';
import { iconsOf } from '../shared/icons.ts';
import type { EntryExtras, PromptInfo, ResourceInfo, ResourceTemplateInfo, SkillInfo } from '../shared/serverState.ts';

export interface ListsOptions {
  readonly timeoutMs: number;
  readonly log: Log;
}

interface Lists {
  readonly prompts: readonly PromptInfo[];
  readonly resources: readonly ResourceInfo[];
  readonly templates: readonly ResourceTemplateInfo[];
  readonly skills: readonly SkillInfo[];
}

const nothing: Lists = { prompts: [], resources: [], templates: [], skills: [] };

/**
 * The prompts, resources, templates and skills of one server, over all its connections. A list that cannot be read stays as it was, which
 * is empty at first, and the failure is logged.
 */
export class ServerLists implements Disposable {
  readonly #options: ListsOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #refreshers = new WeakMap<Client, { readonly prompts: Refresher; readonly resources: Refresher }>();
  #lists = nothing;
  #listed: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  constructor(options: ListsOptions) {
    this.#options = options;
  }

  get current(): Lists {
    return this.#lists;
  }

  /** Resolves when the lists of the present connection have been read once. */
  get listed(): Promise<void> {
    return this.#listed;
  }

  configure(client: Client): void {
    client.setNotificationHandler('notifications/prompts/list_changed', () => this.#refreshers.get(client)?.prompts.request());
    client.setNotificationHandler('notifications/resources/list_changed', () => this.#refreshers.get(client)?.resources.request());
  }

  /** `origin` is that of a remote server: its icons may be there. */
  attach(client: Client, signal: AbortSignal, origin?: string): void {
    const reader = new ListReader(client, signal, this.#options);
    const listOf = <K extends ListName>(name: K, entriesOf: (raw: readonly JsonObject[]) => Awaitable<Lists[K]>): (() => Promise<void>) => {
      const readings = new ReadingOrder();
      return async () => {
        const counts = readings.begin();
        const raw = await reader.read(name);
        const entries = raw && (await entriesOf(raw));
        if (entries !== undefined && !signal.aborted && counts()) {
          this.#set({ [name]: entries });
        }
      };
    };
    const prompts = listOf('prompts', (raw) => readPrompts(raw, origin));
    const resources = listOf('resources', (raw) => readResources(raw, origin));
    const templates = listOf('templates', (raw) => readTemplates(raw, origin));
    const skills = listOf('skills', readSkills);
    // The files of skills are resources, and no other notification tells of them.
    const files = async (): Promise<void> => void (await Promise.all([resources(), templates(), skills()]));
    this.#refreshers.set(client, { prompts: new Refresher(prompts, signal), resources: new Refresher(files, signal) });
    this.#listed = Promise.all([prompts(), files()]).then(() => undefined);
  }

  /** Reads everything again, as if the server had said that all of it changed. */
  refresh(client: Client): void {
    const refreshers = this.#refreshers.get(client);
    refreshers?.prompts.request();
    refreshers?.resources.request();
  }

  detach(): void {
    this.#lists = nothing;
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Servers are often asked again although nothing has changed, as after each gap in what they tell. */
  #set(lists: Partial<Lists>): void {
    const next = { ...this.#lists, ...lists };
    const names = Object.keys(lists) as (keyof Lists)[];
    if (names.some((name) => !isSameJson(next[name], this.#lists[name]))) {
      this.#lists = next;
      this.#changed.fire();
    }
  }
}

type ListName = keyof Lists;
type Awaitable<T> = T | Promise<T>;

class ListReader {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #options: ListsOptions;

  constructor(client: Client, signal: AbortSignal, options: ListsOptions) {
    this.#client = client;
    this.#signal = signal;
    this.#options = options;
  }

  /**
   * Never rejects: gives undefined when the list could not be read. One that the server did not declare is not asked for, and is empty
   * like one that it does not know.
   */
  async read(name: ListName): Promise<readonly JsonObject[] | undefined> {
    if (!this.#isDeclared(name)) {
      return [];
    }
    const failureOf = (error: unknown): AppError => fromSdkError(error, undefined, this.#options.timeoutMs);
    try {
      return await readAllPages(name, (cursor) => retryRead(() => this.#page(name, cursor), failureOf, this.#signal));
    } catch (error) {
      if (isUnknownMethod(error)) {
        return [];
      }
      if (!this.#signal.aborted) {
        this.#options.log.warn(`The list of ${name} could not be read: ${failureOf(error).message}`);
      }
      return undefined;
    }
  }

  #isDeclared(name: ListName): boolean {
    const { prompts, resources, extensions } = this.#client.getServerCapabilities() ?? {};
    return (name === 'skills' ? extensions?.[skillsExtension] : name === 'prompts' ? prompts : resources) !== undefined;
  }

  async #page(name: ListName, cursor: string | undefined): Promise<Page> {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const options = { timeout: this.#options.timeoutMs, signal: this.#signal };
    switch (name) {
      case 'prompts': {
        const { prompts, nextCursor } = await this.#client.request({ method: 'prompts/list', ...params }, options);
        return { items: prompts, nextCursor };
      }
      case 'resources': {
        const { resources, nextCursor } = await this.#client.request({ method: 'resources/list', ...params }, options);
        return { items: resources, nextCursor };
      }
      case 'templates': {
        const { resourceTemplates, nextCursor } = await this.#client.request({ method: 'resources/templates/list', ...params }, options);
        return { items: resourceTemplates, nextCursor };
      }
      case 'skills':
        return (await import('./skills.ts')).skillsPage(this.#client, cursor, options);
    }
  }
}

/** The usable entries of the lists that a server gives. Of entries with the same name the first one counts. */
function readPrompts(raw: readonly JsonObject[], origin: string | undefined): readonly PromptInfo[] {
  return unique(
    raw.flatMap((each) => readPrompt(each, origin)),
    ({ name }) => name,
  );
}

function readResources(raw: readonly JsonObject[], origin: string | undefined): readonly ResourceInfo[] {
  return unique(
    raw.flatMap((each) => readResource(each, origin)),
    ({ uri }) => uri,
  );
}

async function readSkills(raw: readonly JsonObject[]): Promise<readonly SkillInfo[]> {
  return raw.length === 0 ? [] : (await import('./skills.ts')).readSkills(raw);
}

function readTemplates(raw: readonly JsonObject[], origin: string | undefined): readonly ResourceTemplateInfo[] {
  return unique(
    raw.flatMap((each) => readTemplate(each, origin)),
    ({ uriTemplate }) => uriTemplate,
  );
}

function readPrompt(raw: JsonObject, origin: string | undefined): PromptInfo[] {
  const name = textOf(raw['name']);
  const given: unknown = raw['arguments'];
  const args: readonly unknown[] = Array.isArray(given) ? given : [];
  return name === undefined
    ? []
    : [
        {
          name,
          title: textOf(raw['title']),
          description: textOf(raw['description']) ?? '',
          arguments: unique(args.filter(isJsonObject).flatMap(readArgument), (each) => each.name),
          ...extrasOf(raw, origin),
        },
      ];
}

function readArgument(raw: JsonObject): PromptInfo['arguments'][number][] {
  const name = textOf(raw['name']);
  return name === undefined ? [] : [{ name, description: textOf(raw['description']) ?? '', isRequired: raw['required'] === true }];
}

function readResource(raw: JsonObject, origin: string | undefined): ResourceInfo[] {
  const uri = textOf(raw['uri']);
  const size = raw['size'];
  const known = typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : undefined;
  return uri === undefined ? [] : [{ uri, ...common(raw, uri, origin), size: known }];
}

function readTemplate(raw: JsonObject, origin: string | undefined): ResourceTemplateInfo[] {
  const uriTemplate = textOf(raw['uriTemplate']);
  return uriTemplate === undefined ? [] : [{ uriTemplate, ...common(raw, uriTemplate, origin) }];
}

function common(raw: JsonObject, fallbackName: string, origin: string | undefined): Omit<ResourceTemplateInfo, 'uriTemplate'> {
  const { annotations } = raw;
  return {
    name: textOf(raw['name']) ?? fallbackName,
    title: textOf(raw['title']),
    description: textOf(raw['description']) ?? '',
    mimeType: textOf(raw['mimeType']),
    ...(isJsonObject(annotations) && { annotations }),
    ...extrasOf(raw, origin),
  };
}

function extrasOf({ icons, _meta }: JsonObject, origin: string | undefined): EntryExtras {
  return { ...iconsOf(icons, origin), ...(isJsonObject(_meta) && { meta: _meta }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item] as const).reverse()).values()].reverse();
}
