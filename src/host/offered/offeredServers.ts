import { abortError } from '../../base/abort.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { RawToolResult } from '../connection/serverSession.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ContentReader } from '../resources/contentReader.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ServerSnapshot } from '../shared/serverState.ts';
import { startedServer } from '../tools/runTool.ts';
import type { ToolCaller } from '../tools/toolCaller.ts';
import {
  askerOf,
  type CallingClient,
  choicesFor,
  type ClientCallOutcome,
  type ClientWish,
  isOnce,
  sessionOfClient,
  principalOf,
} from './callingClient.ts';
import { OfferedContent } from './offeredContent.ts';
import { OfferedLists } from './offeredLists.ts';
import { type ListedTool, OfferedTools } from './offeredTools.ts';
import type { Offers } from './offers.ts';
import { partFor } from './passedOn.ts';

export interface ClientCall extends ClientWish {
  /** The name under which clients know the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  readonly onProgress: (progress: number, message: string | undefined, total: number | undefined) => void;
}

export interface OfferedServersOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly reader: ContentReader;
  readonly gate: ConsentGate;
  readonly offers: Offers;
  readonly ask: Ask;
  /** Whether clients search the tools when there are many, or are told of all of them. */
  readonly toolList: () => 'search' | 'all';
  /** Fires when `toolList` has another answer. */
  readonly onDidChangeToolList?: Event<void> | undefined;
}

/** The most clients whose texts are remembered, to recognise what one server said in the arguments for another. */
const maxHeard = 100;

/** The servers that the person offers to outside clients, called through the gate that the chat uses, with the client as principal. */
export class OfferedServers implements Disposable {
  readonly #options: OfferedServersOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<'tools' | 'prompts' | 'resources'>());
  readonly #listed = new OfferedTools();
  readonly #lists = new OfferedLists();
  /** What servers listed when they last ran: a server that is lost starts again with the next call. */
  readonly #known = new Map<string, ServerSnapshot>();
  readonly #heard = new Map<string, HeardTexts>();
  #tools: readonly ListedTool[];

  readonly onDidChange = this.#changed.event;
  /** The prompts and resources of the offered servers. */
  readonly content: OfferedContent;

  constructor(options: OfferedServersOptions) {
    this.#options = options;
    this.#tools = this.#listed.list([]);
    this.#look();
    this.content = new OfferedContent({
      ...options,
      lists: this.#lists,
      start: (serverId, wish) => this.#start(serverId, wish),
      demandOffered: (serverId) => this.#demandOffered(serverId),
      heardOf: (client) => this.#heardOf(client),
    });
    this.#lifetime.add(options.registry.onDidChange(() => this.#look()));
    this.#lifetime.add(options.offers.onDidChange(() => this.#look()));
    const { onDidChangeToolList } = options;
    if (onDidChangeToolList !== undefined) {
      this.#lifetime.add(onDidChangeToolList(() => this.#changed.fire('tools')));
    }
  }

  tools(): readonly ListedTool[] {
    return this.#tools;
  }

  toolList(): 'search' | 'all' {
    return this.#options.toolList();
  }

  async callTool(call: ClientCall): Promise<ClientCallOutcome<JsonObject>> {
    const { client, name, signal } = call;
    const { registry, caller } = this.#options;
    const listed = this.#tools.find((tool) => tool.name === name);
    if (listed === undefined) {
      throw hostError('host.offerEnded', {});
    }
    const { serverId, tool } = listed;
    await this.#start(serverId, call);
    let sent = call.arguments;
    const outcome = await caller.call({
      principal: principalOf(client),
      asker: askerOf(client),
      serverId,
      tool,
      arguments: call.arguments,
      ask: this.#options.ask,
      signal,
      onStart: (args) => (sent = args),
      onProgress: ({ value, message, total }) => call.onProgress(value, message, total),
      heard: this.#heardOf(client),
      outside: {
        session: sessionOfClient(client),
        choices: choicesFor(client),
        decide: async (decide) => {
          const decision = await call.decide('call', decide, isOnce);
          // The question may have been open for long.
          this.#demandOffered(serverId);
          return decision;
        },
      },
    });
    switch (outcome.kind) {
      case 'result':
        // The call may have taken long, too.
        this.#demandOffered(serverId);
        return { kind: 'result', result: toResult(this.#passedOn(serverId, outcome.result), call.arguments, sent) };
      case 'denied':
        return { kind: 'denied', byStoredAnswer: outcome.by === 'ledger' };
      case 'cancelled':
        throw abortError(`The call of a tool of ${registry.labelOf(serverId)} was cancelled.`);
      case 'failed':
        throw outcome.error;
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#known.clear();
    this.#heard.clear();
  }

  /** Looks what the offered servers list now, and tells of what changed. */
  #look(): void {
    const before = this.#tools;
    const servers = this.#servers();
    this.#tools = this.#listed.list(servers);
    const changed = this.#lists.update(servers);
    if (this.#tools !== before) {
      this.#changed.fire('tools');
    }
    if (changed.prompts) {
      this.#changed.fire('prompts');
    }
    if (changed.resources) {
      this.#changed.fire('resources');
    }
  }

  /** Starts a server that does not run, after its own question. */
  async #start(serverId: string, call: ClientWish): Promise<void> {
    const { registry, ask } = this.#options;
    if (this.#find(serverId)?.state.kind === 'ready') {
      return;
    }
    const marked: Ask = (question, signal) => ask({ ...question, clients: [call.client.callsItself] }, signal);
    await call.decide(
      'start',
      ({ signal }) => startedServer(registry, serverId, marked, signal),
      () => false,
    );
    this.#demandOffered(serverId);
  }

  #demandOffered(serverId: string): void {
    const server = this.#find(serverId);
    if (server === undefined || !this.#options.offers.isOffered(server)) {
      throw hostError('host.offerEnded', { server: this.#options.registry.labelOf(serverId) });
    }
  }

  #find(serverId: string): ServerSnapshot | undefined {
    return this.#options.registry.servers().find(({ id }) => id === serverId);
  }

  /** The offered servers with what they list. One that the person stopped has none; one that was lost has those of before. */
  #servers(): readonly ServerSnapshot[] {
    const all = this.#options.registry.servers();
    const ids = new Set(all.map(({ id }) => id));
    [...this.#known.keys()].filter((id) => !ids.has(id)).forEach((id) => this.#known.delete(id));
    return all
      .filter((server) => this.#options.offers.isOffered(server))
      .flatMap((server) => {
        // A connection that is gone has taken its lists away before the server is known to be lost.
        if (server.state.kind === 'ready' && this.#options.registry.find(server.id)?.connection.session !== undefined) {
          this.#known.set(server.id, server);
          return [server];
        }
        const known = this.#known.get(server.id);
        const isStopped = server.state.kind === 'stopped' && server.state.reason === 'byUser';
        return known === undefined || isStopped ? [] : [{ ...known, state: server.state }];
      });
  }

  #passedOn(serverId: string, { content, ...result }: RawToolResult): RawToolResult {
    const origin = this.#options.registry.find(serverId)?.connection.session?.origin;
    return { ...result, content: content.map((part) => partFor(part, origin)) };
  }

  /** What servers have said to one client. No client's calls are compared with what another one heard. */
  #heardOf({ credential, sessionId = '' }: CallingClient): HeardTexts {
    const key = credential.kind === 'windowToken' ? `${credential.id} ${sessionId}` : credential.id;
    const heard = this.#heard.get(key) ?? new HeardTexts();
    // The client that asked last is forgotten last.
    this.#heard.delete(key);
    this.#heard.set(key, heard);
    [...this.#heard.keys()].slice(0, -maxHeard).forEach((old) => this.#heard.delete(old));
    return heard;
  }
}

/** The result as the server gave it, within the limits of the host's door. A client is told when the person changed the arguments. */
function toResult({ content, structuredContent, isError }: RawToolResult, wanted: JsonObject, sent: JsonObject): JsonObject {
  const isChanged = canonicalJson(wanted) !== canonicalJson(sent);
  const text = `The person in VS Code changed the arguments. The tool ran with: ${JSON.stringify(sent)}`;
  return {
    content: [...content, ...(isChanged ? [{ type: 'text', text }] : [])],
    ...(isJsonObject(structuredContent) && { structuredContent }),
    ...(isError && { isError }),
  };
}
