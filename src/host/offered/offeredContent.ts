import type { Event } from '../../base/events.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Ask, ConsentGate, Decision } from '../../consent/consentGate.ts';
import type { HeardTexts } from '../../consent/heard/heardTexts.ts';
import { redactWith, secretPlaces } from '../../secrets/redactSecrets.ts';
import { type ResourcePart, isWithinResource } from '../features/resources.ts';
import type { CompletedValues, CompletionReference } from '../features/serverFeatures.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ContentReader } from '../resources/contentReader.ts';
import { hostError } from '../shared/hostErrors.ts';
import { askWhileRunning, parseArguments } from '../tools/askedCall.ts';
import { isForeignAddress } from './addresses.ts';
import { causeOf, choicesFor, type ClientCallOutcome, type ClientWish, isOnce, onlyOnce, principalOf } from './callingClient.ts';
import { inquiryRequest, type ContentInquiry, promptInquiry, readInquiry } from './contentInquiry.ts';
import type { AddressOwner, ListedPrompt, ListedResource, ListedTemplate, OfferedLists } from './offeredLists.ts';
import { partFor } from './passedOn.ts';

export interface PromptWish extends ClientWish {
  /** The name under which clients know the prompt. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export interface ReadWish extends ClientWish {
  readonly uri: string;
}

export interface CompletionWish extends Pick<ClientWish, 'client' | 'signal'> {
  /** The name of a prompt or the pattern of a template, as clients know them. */
  readonly of: { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly context: Readonly<Record<string, string>>;
}

/** What the prompts and resources need of the offered servers as a whole. */
export interface OfferedContentOptions {
  readonly registry: HostRegistry;
  readonly reader: ContentReader;
  readonly gate: ConsentGate;
  readonly ask: Ask;
  readonly lists: OfferedLists;
  /** Starts a server that does not run, after its own question. */
  readonly start: (serverId: string, wish: ClientWish) => Promise<void>;
  /** Throws when the server is not offered any more. */
  readonly demandOffered: (serverId: string) => void;
  readonly heardOf: (client: ClientWish['client']) => HeardTexts;
}

/** The prompts and resources of offered servers, read through the gate that tools are called through, with the client as principal. */
export class OfferedContent {
  readonly #options: OfferedContentOptions;

  constructor(options: OfferedContentOptions) {
    this.#options = options;
  }

  prompts(): readonly ListedPrompt[] {
    return this.#options.lists.prompts;
  }

  resources(): readonly ListedResource[] {
    return this.#options.lists.resources;
  }

  templates(): readonly ListedTemplate[] {
    return this.#options.lists.templates;
  }

  /** The names of each server that would read an address. */
  serversAt(uri: string): readonly (readonly string[])[] {
    return this.#options.lists.ownersOf(uri).map(({ server }) => server);
  }

  async getPrompt(wish: PromptWish): Promise<ClientCallOutcome<JsonObject>> {
    const listed = this.#options.lists.prompts.find(({ name }) => name === wish.name);
    if (listed === undefined) {
      throw hostError('host.offerEnded', {});
    }
    const { serverId, prompt } = listed;
    const inquiry = (): ContentInquiry => promptInquiry(wish, { ...this.#target(serverId), prompt });
    const decision = await this.#decide(serverId, wish, { ...wish.arguments }, inquiry);
    if (decision.kind === 'denied') {
      return { kind: 'denied', byStoredAnswer: decision.by === 'ledger' };
    }
    const args = changedArguments(decision, wish.arguments);
    const result = await this.#options.reader.getPrompt({
      kind: 'prompt',
      ...(await this.#recorded(serverId, wish, decision, prompt.name)),
      name: prompt.name,
      arguments: args,
    });
    // The server may have taken long, too.
    this.#options.demandOffered(serverId);
    const origin = this.#options.registry.find(serverId)?.connection.session?.origin;
    const messages = result.messages.map(({ role, content }) => ({ role, content: partFor(content, origin) }));
    this.#hear(wish, { serverId, tool: 'prompts/get', arguments: { ...args }, result: { content: messages } });
    return { kind: 'result', result: { ...(result.description !== '' && { description: result.description }), messages } };
  }

  async readResource(wish: ReadWish): Promise<ClientCallOutcome<readonly JsonObject[]>> {
    const { serverId, template } = this.#ownerOf(wish.uri);
    const decision = await this.#decideReading(wish, serverId, template);
    if (decision.kind === 'denied') {
      return { kind: 'denied', byStoredAnswer: decision.by === 'ledger' };
    }
    const { uri } = changedArguments(decision, { uri: wish.uri });
    const parts = await this.#options.reader.readResource({
      kind: 'resource',
      ...(await this.#recorded(serverId, wish, decision, uri ?? wish.uri)),
      uri: uri ?? wish.uri,
    });
    this.#options.demandOffered(serverId);
    const contents = parts.map((part) => toContents(part, uri ?? wish.uri));
    this.#hear(wish, { serverId, tool: 'resources/read', arguments: { uri: wish.uri }, result: { content: contents } });
    return { kind: 'result', result: contents };
  }

  /** Asks as a reading would, without one: whoever hears of changes of a resource has told its server that they want them. */
  async allowReading(wish: ReadWish): Promise<ClientCallOutcome<undefined>> {
    const { serverId, template } = this.#ownerOf(wish.uri);
    const decision = await this.#decideReading(wish, serverId, template);
    return decision.kind === 'denied'
      ? { kind: 'denied', byStoredAnswer: decision.by === 'ledger' }
      : { kind: 'result', result: undefined };
  }

  /** Fires when the server says that the resource changed, as long as it is offered. */
  changesOf(uri: string): Event<void> {
    return (listener) => {
      const { registry, lists } = this.#options;
      const [owner, another] = lists.ownersOf(uri);
      const listening = new DisposableStore();
      if (owner === undefined || another !== undefined) {
        return listening;
      }
      const { serverId } = owner;
      const features = registry.features(serverId);
      const isStill = (): boolean => lists.ownersOf(uri).some((each) => each.serverId === serverId);
      listening.add(features.onDidUpdateResource((changed) => (isWithinResource(changed, uri) && isStill() ? listener() : undefined)));
      void features.subscribe(uri).then((subscription) => listening.add(subscription));
      return listening;
    };
  }

  /**
   * Completes an argument. Nobody is asked about what somebody types: the server is told of it only where the client was allowed the
   * prompt, or the addresses of the pattern, for longer than once.
   */
  async complete({ client, of, argument, context, signal }: CompletionWish): Promise<CompletedValues> {
    const found = this.#completed(of);
    if (found === undefined || this.#options.registry.find(found.serverId)?.connection.session === undefined) {
      return nothing;
    }
    const { serverId, reference, ...what } = found;
    const request = inquiryRequest({ client }, { ...this.#target(serverId), ...what });
    const { gate, registry } = this.#options;
    if (gate.verdict(request).kind !== 'allow') {
      return nothing;
    }
    return registry.features(serverId).complete({ reference, argument, context }, { signal, client: causeOf(client) });
  }

  #completed(
    of: CompletionWish['of'],
  ): (CompletedTarget & { readonly serverId: string; readonly reference: CompletionReference }) | undefined {
    const { prompts, templates } = this.#options.lists;
    if (of.kind === 'prompt') {
      const listed = prompts.find(({ name }) => name === of.name);
      return listed && { serverId: listed.serverId, prompt: listed.prompt, reference: { kind: 'prompt', name: listed.prompt.name } };
    }
    const listed = templates.find(({ template }) => template.uriTemplate === of.uriTemplate);
    return listed && { serverId: listed.serverId, template: listed.template, reference: of };
  }

  #ownerOf(uri: string): AddressOwner {
    const [owner, another] = this.#options.lists.ownersOf(uri);
    if (owner === undefined) {
      throw hostError('host.offerEnded', {});
    }
    if (another !== undefined) {
      const { registry } = this.#options;
      throw hostError('host.addressTwice', { one: registry.labelOf(owner.serverId), other: registry.labelOf(another.serverId) });
    }
    return owner;
  }

  #target(serverId: string): { readonly serverId: string; readonly server: string; readonly identity: string } {
    const { registry, reader } = this.#options;
    return { serverId, server: registry.labelOf(serverId), identity: reader.identityOf(serverId) };
  }

  #decideReading(wish: ReadWish, serverId: string, template: AddressOwner['template']): Promise<Decision> {
    return this.#decide(serverId, wish, { uri: wish.uri }, () => readInquiry(wish, { ...this.#target(serverId), template }));
  }

  /** Decides by what is remembered, or by a question that says which texts of other servers the arguments carry. */
  async #decide(serverId: string, wish: ClientWish, args: JsonObject, inquiryNow: () => ContentInquiry): Promise<Decision> {
    const { registry, gate, ask, start, demandOffered, heardOf } = this.#options;
    registry.requireTrust();
    await start(serverId, wish);
    const { request, detail, differencesFrom } = inquiryNow();
    const closed = registry.find(serverId)?.connection.session?.closed ?? Promise.resolve();
    const decision = await wish.decide(
      'read',
      async ({ signal, asksEachTime }) => {
        const isAsked = asksEachTime || gate.verdict(request).kind === 'ask';
        const knows = isAsked ? await heardOf(wish.client).findIn(args, serverId) : undefined;
        return gate.check({
          request,
          differencesFrom,
          detail: knows === undefined ? detail : { ...detail, knows: { ...knows, carried: [...knows.carried] } },
          choices: asksEachTime ? onlyOnce : choicesFor(wish.client),
          asksAnew: asksEachTime,
          ask: askWhileRunning(ask, registry.labelOf(serverId), closed),
          signal,
        });
      },
      isOnce,
    );
    // The question may have been open for long, and the permission holds only for what it showed.
    demandOffered(serverId);
    if (decision.kind === 'allowed' && inquiryNow().request.fingerprint !== request.fingerprint) {
      throw hostError('host.offerChanged', { server: registry.labelOf(serverId) });
    }
    return decision;
  }

  async #recorded(serverId: string, { client, signal }: ClientWish, decision: Decision, what: string): Promise<Recorded> {
    return {
      principal: principalOf(client),
      serverId,
      signal,
      client: causeOf(client),
      recordedAs: await redactWith(what, secretPlaces),
      decidedBy: decision.by === 'ledger' ? 'remembered' : 'person',
    };
  }

  #hear({ client }: ClientWish, said: Omit<Parameters<HeardTexts['add']>[0], 'server'>): void {
    this.#options.heardOf(client).add({ ...said, server: this.#options.registry.labelOf(said.serverId) });
  }
}

type Recorded = Omit<Extract<Parameters<ContentReader['read']>[0], { kind: 'resource' }>, 'kind' | 'uri'>;
type CompletedTarget = Pick<Parameters<typeof inquiryRequest>[1], 'prompt' | 'template'>;

const nothing: CompletedValues = { values: [], hasMore: false };

/** The arguments as the person left them. What is no text any more is not sent. */
function changedArguments(decision: Decision, wanted: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const changed = decision.kind === 'allowed' && decision.by === 'person' ? decision.answer.arguments : undefined;
  if (changed === undefined) {
    return wanted;
  }
  const parsed: unknown = parseArguments(changed);
  const texts = isJsonObject(parsed) ? Object.entries(parsed).filter((each): each is [string, string] => typeof each[1] === 'string') : [];
  return Object.fromEntries(texts);
}

/** A part that its server gives an address of the editor has the address that was read: it is not from there. */
function toContents(part: ResourcePart, read: string): JsonObject {
  const { mimeType, meta } = part;
  const uri = isForeignAddress(part.uri) ? part.uri : read;
  const content = part.kind === 'text' ? { text: part.text } : { blob: part.data };
  return partFor({ uri, ...(mimeType !== undefined && { mimeType }), ...content, ...(meta !== undefined && { _meta: meta }) }, undefined);
}
