import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ServerSnapshot, ToolInfo } from './serverState.ts';

export interface ToolForModel {
  /** At most 64 characters of `a-z A-Z 0-9 _ -`, unique over all servers. */
  readonly name: string;
  readonly serverId: string;
  /** The label of the server. */
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** The most characters of a tool's name for models; a longer one is cut and ends with a hash. */
const maxNameLength = 64;
/** After so many names all are forgotten: a server keeps renaming its tools. */
const maxRemembered = 20_000;

interface Made {
  readonly of: readonly ServerSnapshot[];
  readonly tools: readonly ToolForModel[];
  readonly names: ReadonlyMap<string, string>;
}

/** Gives tools names for models. A name never comes to mean another tool later, because a conversation may still hold it. */
export class ModelToolNames {
  readonly #owners = new Map<string, string>();

  #made: Made = { of: [], tools: [], names: new Map() };

  name(servers: readonly ServerSnapshot[]): readonly ToolForModel[] {
    return this.#make(servers).tools;
  }

  ownerOf(name: string): { readonly serverId: string; readonly tool: string } | undefined {
    const owner = this.#owners.get(name);
    const [serverId, tool] = owner === undefined ? [] : (JSON.parse(owner) as [string, string]);
    return serverId === undefined || tool === undefined ? undefined : { serverId, tool };
  }

  nameOf(servers: readonly ServerSnapshot[], serverId: string, tool: string): string | undefined {
    return this.#make(servers).names.get(keyOf(serverId, tool));
  }

  /** Computed once per change of the servers, because views ask for it with every row that shows one of thousands of tools. */
  #make(servers: readonly ServerSnapshot[]): Made {
    const { of } = this.#made;
    if (of.length !== servers.length || !servers.every((server, index) => isSame(server, of[index]))) {
      const tools = this.#nameAll(servers);
      this.#made = { of: servers, tools, names: new Map(tools.map((each) => [keyOf(each.serverId, each.tool), each.name])) };
    }
    return this.#made;
  }

  #nameAll(servers: readonly ServerSnapshot[]): readonly ToolForModel[] {
    if (this.#owners.size > maxRemembered) {
      this.#owners.clear(); // a server keeps renaming its tools
    }
    return servers.flatMap((server) =>
      server.tools.filter(isForModel).map((tool) => ({
        name: this.#nameFor(server, tool.name),
        serverId: server.id,
        server: server.label,
        tool: tool.name,
        ...shownOf(tool),
      })),
    );
  }

  #nameFor(server: ServerSnapshot, tool: string): string {
    const owner = keyOf(server.id, tool);
    const plain = `${server.name}__${tool}`;
    const isFree = (name: string): boolean => (this.#owners.get(name) ?? owner) === owner;
    let name = plain;
    // A server may call a tool just as another one is called here after it was shortened.
    for (let attempt = 0; !isFree(name) || !isPlainName(name); attempt += 1) {
      name = withHash(plain, attempt === 0 ? owner : `${owner} ${attempt}`);
    }
    this.#owners.set(name, owner);
    return name;
  }
}

function isPlainName(name: string): boolean {
  return name.length <= maxNameLength && /^[a-zA-Z0-9_-]+$/.test(name);
}

/** A server may keep a tool for its own pages. */
function isForModel({ app }: ToolInfo): boolean {
  return app?.isForModel !== false;
}

type Shown = Pick<ToolForModel, 'description' | 'inputSchema'>;

/** A ToolInfo never changes: a changed list brings new ones, and only those are looked at again. */
const shownTools = new WeakMap<ToolInfo, Shown>();

function shownOf(tool: ToolInfo): Shown {
  let shown = shownTools.get(tool);
  if (shown === undefined) {
    shown = { description: revealInvisible(tool.description), inputSchema: revealProse(tool.inputSchema) };
    shownTools.set(tool, shown);
  }
  return shown;
}

function keyOf(serverId: string, tool: string): string {
  return JSON.stringify([serverId, tool]);
}

function isSame(server: ServerSnapshot, known: ServerSnapshot | undefined): boolean {
  if (known?.id !== server.id || known.name !== server.name || known.label !== server.label) {
    return false;
  }
  return known.tools === server.tools || (known.tools.length === 0 && server.tools.length === 0);
}

/**
 * Makes invisible characters visible in the descriptions, so that the model reads what a person can see. Values that go back
 * to the server (enum, default) stay as they are.
 */
function revealProse(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, revealMember(key, member)]));
}

function revealMember(key: string, member: JsonValue | undefined): JsonValue | undefined {
  if (typeof member === 'string') {
    return key === 'description' || key === 'title' || key === '$comment' ? revealInvisible(member) : member;
  }
  if (['enum', 'const', 'default', 'examples'].includes(key)) {
    return member;
  }
  if (Array.isArray(member)) {
    return member.map((each: JsonValue) => (isJsonObject(each) ? revealProse(each) : each));
  }
  return isJsonObject(member) ? revealProse(member) : member;
}

/** The showing of an app that offers tools. */
export interface OfferingApp {
  readonly serverId: string;
  /** The name and the label of its server. */
  readonly name: string;
  readonly label: string;
  /** The card of the call that it shows. */
  readonly card: string;
}

/** A tool that an app offers, as models are told of it. The name means this showing of the app, and never comes to mean another. */
export function appToolForModel(tool: ToolInfo, { serverId, name, label, card }: OfferingApp): ToolForModel {
  const { description, inputSchema } = shownOf(tool);
  return {
    name: withHash(`${name}__app_${tool.name}`, JSON.stringify([serverId, 'app', card, tool.name])),
    serverId,
    server: label,
    tool: appToolName(tool),
    description: `[Offered by the app of this server that is shown now] ${description}`,
    inputSchema,
  };
}

/** How a tool of an app is called where it stands beside the tools of servers. */
export function appToolName({ name }: ToolInfo): string {
  return `app: ${name}`;
}

function withHash(plain: string, owner: string): string {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 12);
  return `${plain.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, maxNameLength - hash.length - 1)}_${hash}`;
}

/** A server's own words on how to use it. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
}

/** The instructions of all running servers that have tools. */
export function instructionsOf(servers: readonly ServerSnapshot[]): readonly ServerInstructions[] {
  return servers.flatMap(({ label, state, tools }) => {
    const text = state.kind === 'ready' && tools.length > 0 ? state.instructions : undefined;
    return text === undefined ? [] : [{ server: label, text }];
  });
}
