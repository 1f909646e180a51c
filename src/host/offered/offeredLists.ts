import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { ModelToolNames } from '../shared/modelTools.ts';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo, ServerSnapshot, ToolInfo } from '../shared/serverState.ts';
import { fitsTemplate, isForeignAddress } from './addresses.ts';
import { annotationsFor, extrasFor } from './passedOn.ts';

/** What one entry of a list has besides its own name: whose it is, and how clients are told of it. */
interface Listed {
  readonly serverId: string;
  /** The server's name and label. */
  readonly server: readonly string[];
  /** The entry in the list, for the newest revision. */
  readonly listing: JsonObject;
}

export interface ListedPrompt extends Listed {
  /** The name for clients, `SERVER__prompt`; it never comes to mean another prompt. */
  readonly name: string;
  readonly prompt: PromptInfo;
}

export interface ListedResource extends Listed {
  readonly uri: string;
}

export interface ListedTemplate extends Listed {
  readonly template: ResourceTemplateInfo;
}

/** A server that would read an address: because it lists it, or because it has a pattern that the address follows. */
export interface AddressOwner {
  readonly serverId: string;
  readonly server: readonly string[];
  readonly template?: ResourceTemplateInfo | undefined;
}

type Named = Pick<ServerSnapshot, 'id' | 'name' | 'label' | 'prompts' | 'resources' | 'templates'>;

/**
 * Lists the prompts, resources and templates of offered servers. A resource keeps its own address. One that two servers list belongs to
 * neither, and what is the editor's own is taken from no other server.
 */
export class OfferedLists {
  readonly #names = new ModelToolNames();
  #of: readonly Named[] = [];
  prompts: readonly ListedPrompt[] = [];
  resources: readonly ListedResource[] = [];
  templates: readonly ListedTemplate[] = [];
  #owners: ReadonlyMap<string, readonly AddressOwner[]> = new Map();

  /** Takes over what the servers list now; returns which of the lists have changed by that. */
  update(servers: readonly ServerSnapshot[]): { readonly prompts: boolean; readonly resources: boolean } {
    const before = this.#of;
    const isSame = (lists: readonly (keyof Named)[]): boolean =>
      before.length === servers.length &&
      servers.every((server, index) => lists.every((list) => isSameList(server[list], before[index]?.[list])));
    const changed = {
      prompts: !isSame(['id', 'name', 'label', 'prompts']),
      resources: !isSame(['id', 'name', 'label', 'resources', 'templates']),
    };
    this.#of = servers;
    if (changed.prompts) {
      this.prompts = this.#listPrompts(servers);
    }
    if (changed.resources) {
      this.#owners = ownersOf(servers);
      this.resources = servers.flatMap((server) => this.#listResources(server));
      this.templates = listTemplates(servers);
    }
    return changed;
  }

  /** The servers that would read an address. More than one is one too many, and none means that there is no such resource. */
  ownersOf(uri: string): readonly AddressOwner[] {
    const listing = this.#owners.get(uri);
    if (listing !== undefined || !isForeignAddress(uri)) {
      return listing ?? [];
    }
    return this.#of.flatMap(({ id, name, label, templates }) => {
      const template = templates.find(({ uriTemplate }) => isForeignAddress(uriTemplate) && fitsTemplate(uri, uriTemplate));
      return template === undefined ? [] : [{ serverId: id, server: namesOf({ name, label }), template }];
    });
  }

  #listPrompts(servers: readonly ServerSnapshot[]): readonly ListedPrompt[] {
    const named = this.#names.name(servers.map((server) => ({ ...server, tools: server.prompts.map(asTool) })));
    // Of prompts with the same name, the first one is meant. Looking for each in the list would take long where names are long and many.
    const byId = new Map(
      servers.map((server) => [server.id, { server, prompts: new Map(server.prompts.toReversed().map((each) => [each.name, each])) }]),
    );
    return named.flatMap(({ name, serverId, tool }) => {
      const { server, prompts } = byId.get(serverId) ?? {};
      const prompt = prompts?.get(tool);
      return server === undefined || prompt === undefined
        ? []
        : [{ name, serverId, prompt, server: namesOf(server), listing: promptListing(name, prompt, server) }];
    });
  }

  #listResources(server: ServerSnapshot): readonly ListedResource[] {
    return server.resources
      .filter(({ uri }) => this.#owners.get(uri)?.length === 1)
      .map((resource) => ({
        uri: resource.uri,
        serverId: server.id,
        server: namesOf(server),
        listing: {
          uri: resource.uri,
          ...facts(resource, server),
          ...(resource.size !== undefined && { size: resource.size }),
        },
      }));
  }
}

function ownersOf(servers: readonly ServerSnapshot[]): ReadonlyMap<string, readonly AddressOwner[]> {
  const owners = new Map<string, AddressOwner[]>();
  for (const { id, name, label, resources } of servers) {
    for (const { uri } of resources.filter((resource) => isForeignAddress(resource.uri))) {
      const known = owners.get(uri) ?? [];
      known.push({ serverId: id, server: namesOf({ name, label }) });
      owners.set(uri, known);
    }
  }
  return owners;
}

function listTemplates(servers: readonly ServerSnapshot[]): readonly ListedTemplate[] {
  const all = servers.flatMap((server) =>
    server.templates
      .filter(({ uriTemplate }) => isForeignAddress(uriTemplate))
      .map((template) => ({
        serverId: server.id,
        server: namesOf(server),
        template,
        listing: { uriTemplate: template.uriTemplate, ...facts(template, server) },
      })),
  );
  const times = new Map<string, number>();
  all.forEach(({ template: { uriTemplate } }) => times.set(uriTemplate, (times.get(uriTemplate) ?? 0) + 1));
  return all.filter(({ template }) => times.get(template.uriTemplate) === 1);
}

function isSameList(now: unknown, before: unknown): boolean {
  return now === before || (Array.isArray(now) && Array.isArray(before) && now.length === 0 && before.length === 0);
}

function namesOf({ name, label }: Pick<ServerSnapshot, 'name' | 'label'>): readonly string[] {
  return [...new Set([name, label])];
}

/** A prompt in the place of a tool, for its name. */
function asTool({ name }: PromptInfo): ToolInfo {
  return { name, title: undefined, description: '', inputSchema: {}, outputSchema: undefined, annotations: undefined };
}

function promptListing(name: string, prompt: PromptInfo, server: ServerSnapshot): JsonObject {
  const { title, description, arguments: args } = prompt;
  return {
    name,
    ...(title !== undefined && { title: revealInvisible(title) }),
    description: described(description, server),
    arguments: args.map((each) => ({ name: each.name, description: revealInvisible(each.description), required: each.isRequired })),
    ...extrasFor(prompt),
  };
}

function facts(entry: Omit<ResourceInfo, 'uri' | 'size'>, server: ServerSnapshot): JsonObject {
  const { name, title, description, mimeType, annotations } = entry;
  return {
    name: revealInvisible(name),
    ...(title !== undefined && { title: revealInvisible(title) }),
    description: described(description, server),
    ...(mimeType !== undefined && { mimeType: revealInvisible(mimeType) }),
    ...annotationsFor(annotations),
    ...extrasFor(entry),
  };
}

function described(description: string, { label }: ServerSnapshot): string {
  return `[Server “${revealInvisible(label)}”] ${revealInvisible(description)}`.trimEnd();
}
