import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { AppPrincipal, ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { AppLook } from '../../contract/chat/appMessages.ts';
import type { AppActQuestion, ShowAppQuestion } from '../../contract/questions/appQuestions.ts';
import type { Difference } from '../../contract/questions/questions.ts';
import { redactWith, secretPlaces } from '../../secrets/redactSecrets.ts';
import type { ResourcePart } from '../features/resources.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ContentReader } from '../resources/contentReader.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ToolCaller } from '../tools/toolCaller.ts';
import { type AppPage, readAppPage } from './appMeta.ts';
import { type AppPolicy, appPolicy } from './appPolicy.ts';
import { type AppFrame, type AppPorts, AppRefusal, AppSession, declined, invalidParams, type ShownCall } from './appSession.ts';

export interface AppOpenerOptions {
  readonly registry: HostRegistry;
  readonly caller: Pick<ToolCaller, 'call'>;
  readonly reader: Pick<ContentReader, 'readResource'>;
  readonly gate: Pick<ConsentGate, 'check'>;
  readonly openLink: (href: string) => Promise<void>;
  /** Writes a line to the log of a server. */
  readonly log: (server: string, line: string) => void;
  readonly version: string;
  readonly locale: string;
  readonly platform: 'web' | 'desktop';
}

export interface WantedApp {
  readonly serverId: string;
  readonly tool: string;
  readonly uri: string;
  readonly call: Omit<ShownCall, 'tool'>;
  readonly ask: Ask;
  /** Sends a message in the person's name, who was asked. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

export type AppOpening =
  | { readonly kind: 'opened'; readonly app: OpenedApp }
  | { readonly kind: 'denied'; readonly by: 'person' | 'ledger' };

/** An app that the person has allowed. */
export interface OpenedApp {
  readonly html: string;
  /** The policy that the frame must have before the HTML is in it. */
  readonly policy: string;
  /** Begins a showing of the app in a frame that has just been made. */
  begin(look: AppLook, frame: AppFrame): AppSession;
}

/** After so many refusals in a row nothing more is asked for an app until it is opened anew. */
const maxRefusals = 3;

/** Reads the pages of apps, asks whether they may be shown, and lets them do what they may. */
export class AppOpener {
  readonly #options: AppOpenerOptions;

  constructor(options: AppOpenerOptions) {
    this.#options = options;
  }

  /** Rejects with an AppError where there is no such page, and with an AbortError when the signal fired. */
  async open(wanted: WantedApp): Promise<AppOpening> {
    const { registry, gate } = this.#options;
    const { serverId, uri, signal, ask } = wanted;
    registry.requireTrust();
    const server = registry.labelOf(serverId);
    const managed = registry.find(serverId);
    const tool = managed?.connection.tools.find(({ name }) => name === wanted.tool);
    if (managed?.connection.session === undefined || tool === undefined) {
      throw hostError('host.notRunning', { server });
    }
    const listed = registry
      .servers()
      .find(({ id }) => id === serverId)
      ?.resources.find((each) => each.uri === uri)?.meta;
    const page = readAppPage(uri, (await this.#read(serverId, uri, signal)).map(toContent), listed);
    const policy = appPolicy(page.declared);
    const request = showRequest(serverId, managed.identity, uri, page, policy);
    const decision = await gate.check({
      request,
      detail: showQuestion(server, wanted, page, policy),
      differencesFrom: (previous) => differencesOf(previous, request.material),
      choices: ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'],
      ask,
      signal,
    });
    if (decision.kind === 'denied') {
      return decision;
    }
    const described = { name: tool.name, description: tool.description, inputSchema: tool.inputSchema };
    return { kind: 'opened', app: this.#opened(wanted, server, page, policy, described) };
  }

  #opened(wanted: WantedApp, server: string, { html }: AppPage, policy: AppPolicy, tool: JsonObject): OpenedApp {
    const { version, locale, platform } = this.#options;
    const ports = this.#portsOf(wanted, server);
    const granted = { connectDomains: policy.connect, resourceDomains: policy.resources };
    const common = { ports, version, locale, platform, granted, call: { tool, ...wanted.call } };
    return { html, policy: policy.text, begin: (look, frame) => new AppSession({ ...common, look, frame }) };
  }

  async #read(serverId: string, uri: string, signal: AbortSignal): Promise<readonly ResourcePart[]> {
    const recordedAs = await redactWith(uri, secretPlaces);
    return this.#options.reader.readResource({
      kind: 'resource',
      principal: principalOf(serverId),
      serverId,
      uri,
      signal,
      recordedAs,
      decidedBy: 'nobody',
    });
  }

  /** All that an app reaches is at the server that it came from; whatever goes further is asked about. */
  #portsOf(wanted: WantedApp, server: string): AppPorts {
    const { registry, openLink, log } = this.#options;
    const { serverId } = wanted;
    const asking = new PatientAsker(wanted.ask);
    return {
      callTool: (name, args, signal) => this.#callTool(wanted, server, name, args, asking, signal),
      readResource: async (uri, signal) => {
        try {
          return { contents: (await this.#read(serverId, uri, signal)).map(toContent) };
        } catch {
          throw new AppRefusal(invalidParams, 'There is no such resource.');
        }
      },
      listResources: () => {
        const resources = registry.servers().find(({ id }) => id === serverId)?.resources ?? [];
        return resources.map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType }));
      },
      openLink: async (url, signal) => {
        const what = { kind: 'openLink', url: revealInvisible(url.href), host: revealInvisible(url.host) } as const;
        const isAllowed = await this.#ask(wanted, server, what, asking, signal);
        if (isAllowed) {
          await openLink(url.href);
        }
        return isAllowed;
      },
      say: async (text, signal) => {
        const isAllowed = await this.#ask(wanted, server, { kind: 'message', text: revealInvisible(text) }, asking, signal);
        if (isAllowed) {
          wanted.say(revealInvisible(text));
        }
        return isAllowed;
      },
      log: (text) => log(server, revealInvisible(text)),
    };
  }

  async #callTool(
    { serverId }: WantedApp,
    server: string,
    name: string,
    args: JsonObject,
    asking: PatientAsker,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    asking.demand();
    const outcome = await this.#options.caller.call({
      principal: principalOf(serverId),
      asker: { kind: 'app', name: server },
      serverId,
      tool: name,
      arguments: args,
      ask: asking.ask,
      signal,
    });
    switch (outcome.kind) {
      case 'result': {
        const { content, structuredContent, isError, meta } = outcome.result;
        return {
          content: [...content],
          ...(structuredContent !== undefined && { structuredContent }),
          isError,
          ...(meta && { _meta: meta }),
        };
      }
      case 'denied':
        throw new AppRefusal(declined, 'The person declined this call.');
      case 'cancelled':
        throw new AppRefusal(declined, 'The call was cancelled.');
      case 'failed':
        throw outcome.error.code === 'host.unknownTool' ? new AppRefusal(invalidParams, 'There is no such tool for apps.') : outcome.error;
    }
  }

  async #ask(
    { serverId, tool }: WantedApp,
    server: string,
    what: AppActQuestion['what'],
    asking: PatientAsker,
    signal: AbortSignal,
  ): Promise<boolean> {
    asking.demand();
    const material: JsonObject = { ...what };
    const decision = await this.#options.gate.check({
      request: {
        principal: principalOf(serverId),
        action: 'appAct',
        subject: ['server', serverId, 'app', what.kind],
        fingerprint: fingerprintOf(material),
        material,
      },
      detail: { kind: 'appAct', server: revealInvisible(server), tool: revealInvisible(tool), what },
      choices: ['deny', 'denyAlways', 'allowOnce'],
      ask: asking.ask,
      signal,
    });
    return decision.kind === 'allowed';
  }
}

/** Shows the questions of one app one after the other, and asks no more when the person has refused often enough. */
class PatientAsker {
  readonly #asking = new Sequencer();
  readonly ask: Ask;
  #refusals = 0;

  constructor(ask: Ask) {
    this.ask = (question, signal) =>
      this.#asking.run(async () => {
        signal.throwIfAborted();
        this.demand();
        const answer = await ask(question, signal);
        this.#refusals = ['deny', 'denyAlways', 'cancel'].includes(answer.choice) ? this.#refusals + 1 : 0;
        return answer;
      });
  }

  demand(): void {
    if (this.#refusals >= maxRefusals) {
      throw new AppRefusal(declined, 'The person has refused too often; nothing more is asked for this app.');
    }
  }
}

function principalOf(serverId: string): AppPrincipal {
  return `app:${serverId}`;
}

/** The permission to show a page is bound to its every character, to its policy and to the server as it was started. */
function showRequest(serverId: string, identity: string, uri: string, { html, meta }: AppPage, policy: AppPolicy): ConsentRequest {
  const page = createHash('sha256').update(html).digest('hex');
  const material: JsonObject = { server: identity, page, policy: policy.text, declared: JSON.stringify(meta) };
  return {
    principal: principalOf(serverId),
    action: 'showApp',
    subject: ['server', serverId, 'app', 'page', uri],
    fingerprint: fingerprintOf(material),
    material,
  };
}

/** The hashes of pages are no texts for people: of a page they are told only that it is another. */
function differencesOf(before: JsonObject, after: JsonObject): Difference[] {
  const policy = [before['policy'], after['policy']];
  return [
    ...(before['server'] === after['server'] ? [] : [{ field: 'server' }]),
    ...(before['page'] === after['page'] && before['declared'] === after['declared'] ? [] : [{ field: 'page' }]),
    ...(typeof policy[0] === 'string' && typeof policy[1] === 'string' && policy[0] !== policy[1]
      ? [{ field: 'policy', before: policy[0], after: policy[1] }]
      : []),
  ];
}

function showQuestion(server: string, { tool, uri }: WantedApp, { html }: AppPage, policy: AppPolicy): ShowAppQuestion {
  return {
    kind: 'showApp',
    server: revealInvisible(server),
    tool: revealInvisible(tool),
    uri: revealInvisible(uri),
    bytes: Buffer.byteLength(html),
    reaches: [...new Set([...policy.connect, ...policy.resources])],
    refused: policy.refused.map(revealInvisible),
  };
}

function toContent(part: ResourcePart): JsonObject {
  const { uri, mimeType, meta } = part;
  const facts = { uri, ...(mimeType !== undefined && { mimeType }), ...(meta !== undefined && { _meta: meta }) };
  return part.kind === 'text' ? { ...facts, text: part.text } : { ...facts, blob: part.data };
}
