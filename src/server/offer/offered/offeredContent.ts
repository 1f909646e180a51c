import { canonicalJson } from '../../../base/json.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { Viewer, WireCredential } from '../../seen/viewer.ts';
import type { CallContext, Catalog, Completion, CompletionRequest, OfferedEntry, Prompt, Resource } from '../catalog/catalog.ts';
import { pathsInArguments } from './offeredPaths.ts';
import type { OfferedClient, OfferedContentPort, OfferedOutcome, PromptListing, OfferedWish } from './offeredPort.ts';

type ContentMembers = Required<
  Pick<Catalog, 'promptsFor' | 'resourcesFor' | 'templatesFor' | 'serverOf' | 'findPrompt' | 'findResource' | 'complete'>
>;

/** The members of a catalog that also find the prompts and resources of offered servers. What the editor has itself always comes first. */
export function contentFor(catalog: Catalog, content: OfferedContentPort, isOfferedTo: (viewer: Viewer) => boolean): ContentMembers {
  const serversAt = (uri: string, viewer: Viewer): readonly string[] => {
    const servers = isOfferedTo(viewer) ? content.serversAt(uri).flat() : [];
    // Documents of any scheme can be open in the editor.
    const isOwn = servers.length > 0 && catalog.listResources(viewer).some((own) => own.uri === uri);
    return isOwn ? [] : servers;
  };
  const promptNamed = (name: unknown, viewer: Viewer | undefined): PromptListing | undefined =>
    viewer !== undefined && isOfferedTo(viewer) ? content.prompts().find((prompt) => prompt.name === name) : undefined;
  return {
    promptsFor: (viewer) => (isOfferedTo(viewer) ? content.prompts().map((prompt) => bindPrompt(prompt, content)) : []),
    resourcesFor: (viewer) => (isOfferedTo(viewer) ? content.resources().map(({ uri, ...entry }) => entryOf(uri, entry)) : []),
    templatesFor: (viewer) =>
      isOfferedTo(viewer) ? content.templates().map(({ template, ...entry }) => entryOf(template.uriTemplate, entry)) : [],
    serverOf: (uri, viewer) => {
      const servers = serversAt(uri, viewer);
      return servers.length === 0 ? undefined : servers;
    },
    findPrompt: (name, viewer) => {
      const offered = promptNamed(name, viewer);
      return catalog.findPrompt(name) ?? (offered && bindPrompt(offered, content));
    },
    findResource: (uri, viewer) => {
      const servers = serversAt(uri, viewer);
      return servers.length === 0 ? catalog.findResource(uri, viewer) : bindResource(uri, servers, content);
    },
    complete: (request, call) => {
      const wanted = isOfferedTo(call.viewer) ? completedOf(request, content) : undefined;
      return wanted === undefined ? catalog.complete(request, call) : complete(wanted, request, call, content);
    },
  };
}

function entryOf(address: string, { server, listing }: Pick<OfferedEntry, 'server' | 'listing'>): OfferedEntry {
  return { address, server, listing };
}

function bindPrompt({ name, listing, server }: PromptListing, content: OfferedContentPort): Prompt {
  return {
    name,
    listing,
    server,
    get: async (args, call) => {
      const about = { resource: `prompt:${name}`, server, paths: pathsInArguments(args) };
      const { result } = demandAllowed(
        await content.getPrompt({ ...wishOf(call, about, canonicalJson(['prompt', name, args])), name, arguments: args }),
      );
      return result;
    },
  };
}

function bindResource(uri: string, server: readonly string[], content: OfferedContentPort): Resource {
  const paths = [uri];
  const wish = (call: CallContext): OfferedWish & { readonly uri: string } => ({
    ...wishOf(call, { resource: uri, server, paths }, canonicalJson(['read', uri])),
    uri,
  });
  return {
    uri,
    server,
    paths,
    role: 'runner',
    read: async (call) => ({ kind: 'contents', contents: demandAllowed(await content.readResource(wish(call))).result }),
    check: async (call) => void demandAllowed(await content.allowReading(wish(call))),
    changes: content.changesOf(uri),
  };
}

interface About {
  readonly resource: string;
  readonly server: readonly string[];
  readonly paths: readonly string[];
}

function wishOf(call: CallContext, { paths, ...tool }: About, key: string): OfferedWish {
  return {
    client: clientOf(call.viewer),
    signal: call.signal,
    decide: (what, decide, isForOne) => call.decideElsewhere({ tool, paths, key: `${what} ${key}`, decide, isForOne }),
  };
}

type Completed = Parameters<OfferedContentPort['complete']>[0]['of'] & { readonly server: readonly string[] };

/** What of an offered server would be completed; undefined if it is the editor's own, or nothing at all. */
function completedOf({ ref }: CompletionRequest, content: OfferedContentPort): Completed | undefined {
  if (ref.kind === 'prompt') {
    const prompt = content.prompts().find(({ name }) => name === ref.name);
    return prompt && { kind: 'prompt', name: ref.name, server: prompt.server };
  }
  const template = content.templates().find((each) => each.template.uriTemplate === ref.uri);
  return template && { kind: 'template', uriTemplate: ref.uri, server: template.server };
}

/** Completes if role and policy allow what would be completed. A policy that wants a question each time gets no completion. */
function complete(
  { server, ...of }: Completed,
  { argument, context }: CompletionRequest,
  call: CallContext,
  content: OfferedContentPort,
): Promise<Completion> {
  const resource = of.kind === 'prompt' ? `prompt:${of.name}` : of.uriTemplate;
  return call.decideElsewhere({
    tool: { resource, server },
    paths: [],
    key: canonicalJson(['complete', of, argument, context]),
    decide: async ({ asksEachTime, signal }) =>
      asksEachTime ? { values: [] } : content.complete({ client: clientOf(call.viewer), of, argument, context, signal }),
    isForOne: () => true,
  });
}

/** The outcome of what was allowed; throws the sentence for the client otherwise. */
export function demandAllowed<Result>(outcome: OfferedOutcome<Result>): Extract<OfferedOutcome<Result>, { kind: 'result' }> {
  if (outcome.kind === 'denied') {
    throw clientError(outcome.byStoredAnswer ? 'server.deniedBefore' : 'server.denied');
  }
  return outcome;
}

export function clientOf({ credential, sessionId, callsItself }: Viewer): OfferedClient {
  return { credential: requireWire(credential), sessionId, callsItself };
}

function requireWire(credential: Viewer['credential']): WireCredential {
  if (credential.kind === 'chat') {
    throw new Error('the chat calls servers by itself');
  }
  return credential;
}
