import { abortError } from '../../base/abort.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Ask, Decision } from '../../consent/consentGate.ts';
import { HeardTexts } from '../../consent/heard/heardTexts.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import type { RawToolResult } from '../connection/serverSession.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ServerSnapshot } from '../shared/serverState.ts';
import { startedServer } from '../tools/runTool.ts';
import type { ToolCaller } from '../tools/toolCaller.ts';
import { type ListedTool, OfferedTools } from './offeredTools.ts';
import type { Offers } from './offers.ts';

/** An outside client, by its credential. No server is told of it. */
export interface CallingClient {
  readonly credential: { readonly id: string; readonly kind: 'windowToken' | 'clientToken' | 'oauth' };
  readonly sessionId: string | undefined;
  readonly callsItself: string;
}

export interface ClientCall {
  readonly client: CallingClient;
  /** The name under which clients know the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: number, message: string | undefined, total: number | undefined) => void;
  /** Waits for a decision of the person, for as long as the client may wait. */
  decide<T>(what: string, decide: (asked: Asked) => Promise<T>, isForOne: (value: T) => boolean): Promise<T>;
}

interface Asked {
  readonly signal: AbortSignal;
  readonly asksEachTime: boolean;
}

export type ClientCallOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean };

export interface OfferedServersOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly offers: Offers;
  readonly ask: Ask;
  /** Whether clients search the tools when there are many, or are told of all of them. */
  readonly toolList: () => 'search' | 'all';
  /** Fires when `toolList` has another answer. */
  readonly onDidChangeToolList?: Event<void> | undefined;
}

/** What the client's credential can be given. A session of the window token proves only “a process of this user”. */
const lasting: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
const forSession: readonly Choice[] = ['deny', 'allowOnce', 'allowSession'];
const onlyOnce: readonly Choice[] = ['deny', 'allowOnce'];

/** The most clients whose texts are remembered, to recognise what one server said in the arguments for another. */
const maxHeard = 100;

/** The servers that the person offers to outside clients, called through the gate that the chat uses, with the client as principal. */
export class OfferedServers implements Disposable {
  readonly #options: OfferedServersOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<'tools'>());
  readonly #listed = new OfferedTools();
  /** What servers listed when they last ran: a server that is lost starts again with the next call. */
  readonly #known = new Map<string, ServerSnapshot>();
  readonly #heard = new Map<string, HeardTexts>();
  #tools: readonly ListedTool[];

  readonly onDidChange = this.#changed.event;

  constructor(options: OfferedServersOptions) {
    this.#options = options;
    this.#tools = this.#listed.list(this.#servers());
    const look = (): void => {
      const before = this.#tools;
      this.#tools = this.#listed.list(this.#servers());
      if (this.#tools !== before) {
        this.#changed.fire('tools');
      }
    };
    this.#lifetime.add(options.registry.onDidChange(look));
    this.#lifetime.add(options.offers.onDidChange(look));
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

  async callTool(call: ClientCall): Promise<ClientCallOutcome> {
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
      principal: `client:${client.credential.id}`,
      asker: { kind: 'client', name: client.callsItself, credentialId: client.credential.id },
      serverId,
      tool,
      arguments: call.arguments,
      ask: this.#options.ask,
      signal,
      onStart: (args) => (sent = args),
      onProgress: ({ value, message, total }) => call.onProgress(value, message, total),
      heard: this.#heardOf(client),
      outside: {
        session: ownSession(client),
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
        return { kind: 'result', result: toResult(outcome.result, call.arguments, sent) };
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

  /** Starts a server that does not run, after its own question. */
  async #start(serverId: string, call: ClientCall): Promise<void> {
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

  /** The offered servers with their tools. One that the person stopped has none; one that was lost has those of before. */
  #servers(): readonly ServerSnapshot[] {
    const all = this.#options.registry.servers();
    const ids = new Set(all.map(({ id }) => id));
    [...this.#known.keys()].filter((id) => !ids.has(id)).forEach((id) => this.#known.delete(id));
    return all
      .filter((server) => this.#options.offers.isOffered(server))
      .flatMap((server) => {
        if (server.state.kind === 'ready') {
          this.#known.set(server.id, server);
          return [server];
        }
        const known = this.#known.get(server.id);
        const isStopped = server.state.kind === 'stopped' && server.state.reason === 'byUser';
        return known === undefined || isStopped ? [] : [{ ...server, tools: known.tools }];
      });
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

function choicesFor({ credential, sessionId }: CallingClient): readonly Choice[] {
  if (credential.kind !== 'windowToken') {
    return lasting;
  }
  return sessionId === undefined ? onlyOnce : forSession;
}

/** The end of the subject of an answer. What is given to a session of the window token is given to that session alone. */
function ownSession({ credential, sessionId }: CallingClient): readonly string[] {
  return credential.kind === 'windowToken' && sessionId !== undefined ? ['session', sessionId] : [];
}

function isOnce(decision: Decision): boolean {
  return decision.kind === 'allowed' && decision.by === 'person' && decision.answer.choice === 'allowOnce';
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
