import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { AppLook } from '../../contract/chat/appMessages.ts';
import type { AppFrame, WantedApp } from '../../contract/chat/appShowing.ts';
import type { ShowAppQuestion } from '../../contract/questions/appQuestions.ts';
import type { Difference } from '../../contract/questions/questions.ts';
import type { TrafficTap } from '../../traffic/trafficTap.ts';
import { hostError } from '../shared/hostErrors.ts';
import { type AppActOptions, AppActs, appPrincipal, readForApp, toContent } from './appActs.ts';
import { type AppPage, readAppPage } from './appMeta.ts';
import { type AppPolicy, appPolicy } from './appPolicy.ts';
import { AppSession, type AppSessionOptions } from './appSession.ts';
import type { AppTools } from './appTools.ts';

export interface AppOpenerOptions extends AppActOptions {
  readonly version: string;
  readonly locale: string;
  readonly platform: 'web' | 'desktop';
  /** Shows people the messages of apps. */
  readonly traffic?: TrafficTap | undefined;
  /** Where the tools that apps offer are found. */
  readonly tools?: AppTools | undefined;
}

export type AppOpening =
  | { readonly kind: 'opened'; readonly app: OpenedApp }
  | { readonly kind: 'denied'; readonly by: 'person' | 'ledger' };

/** An app that the person has allowed. */
export interface OpenedApp {
  readonly html: string;
  /** The policy that the frame must have before the HTML is in it. */
  readonly policy: string;
  /** The fingerprint of what the person allowed: the page, its policy and the server. */
  readonly fingerprint: string;
  /** Whether the person allowed it for this once, so that no remembered answer stands for it. */
  readonly isOnce: boolean;
  /** Begins a showing of the app in a frame that has just been made. */
  begin(look: AppLook, frame: AppFrame): AppSession;
}

/** Reads the pages of apps, asks whether they may be shown, and lets them do what they may. */
export class AppOpener {
  readonly #options: AppOpenerOptions;
  #showings = 0;

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
    const page = readAppPage(uri, (await readForApp(this.#options.reader, serverId, uri, signal)).map(toContent), listed);
    const policy = appPolicy(page.declared);
    const request = showRequest(serverId, managed.identity, uri, page, policy);
    // An app that only slept is what the person allowed once, as long as nothing about it has changed and they did not refuse it since.
    const hasSlept = wanted.allowed === request.fingerprint && gate.verdict(request).kind !== 'deny';
    const decision = hasSlept
      ? undefined
      : await gate.check({
          request,
          detail: showQuestion(server, wanted, page, policy),
          differencesFrom: (previous) => differencesOf(previous, request.material),
          choices: ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'],
          ask,
          signal,
        });
    if (decision?.kind === 'denied') {
      return decision;
    }
    const described = { name: tool.name, description: tool.description, inputSchema: tool.inputSchema };
    const isOnce = decision === undefined || (decision.by === 'person' && decision.answer.choice === 'allowOnce');
    return { kind: 'opened', app: this.#opened(wanted, page, policy, { tool: described, fingerprint: request.fingerprint, isOnce }) };
  }

  #opened(wanted: WantedApp, { html }: AppPage, policy: AppPolicy, { tool, fingerprint, isOnce }: AllowedShowing): OpenedApp {
    const { version, locale, platform, traffic, registry } = this.#options;
    const ports = new AppActs(this.#options, wanted).ports();
    const granted = { connectDomains: policy.connect, resourceDomains: policy.resources };
    const common = { ports, version, locale, platform, granted, call: { tool, ...wanted.call } };
    const { serverId } = wanted;
    const begin = (look: AppLook, frame: AppFrame): AppSession => {
      const channel = `app ${(this.#showings += 1)}`;
      const note = (direction: 'sent' | 'received', text: string): void => {
        if (traffic?.isOpen === true) {
          traffic.note({ side: 'server', id: serverId, name: registry.labelOf(serverId) }, direction, text, channel);
        }
      };
      const offer = this.#offerOf(wanted, fingerprint, () => session);
      const session: AppSession = new AppSession({ ...common, look, frame, note, offer });
      return session;
    };
    return { html, policy: policy.text, fingerprint, isOnce, begin };
  }

  /** How a showing in a conversation offers its tools; elsewhere there is no model to offer them to. */
  #offerOf({ serverId, place }: WantedApp, page: string, session: () => AppSession): AppSessionOptions['offer'] {
    const { tools, registry } = this.#options;
    if (tools === undefined || place === undefined) {
      return undefined;
    }
    return (offered) => {
      if (offered === undefined) {
        tools.withdraw(session());
      } else {
        const label = registry.labelOf(serverId);
        const name = registry.servers().find(({ id }) => id === serverId)?.name ?? label;
        tools.offer(session(), { serverId, name, label, page, tools: offered, ...place });
      }
    };
  }
}

/** What the person allowed, and the tool that it was called for, as its server describes it. */
interface AllowedShowing {
  readonly tool: JsonObject;
  readonly fingerprint: string;
  readonly isOnce: boolean;
}

/** The permission to show a page is bound to its every character, to its policy and to the server as it was started. */
function showRequest(serverId: string, identity: string, uri: string, { html, meta }: AppPage, policy: AppPolicy): ConsentRequest {
  const page = createHash('sha256').update(html).digest('hex');
  const material: JsonObject = { server: identity, page, policy: policy.text, declared: JSON.stringify(meta) };
  return {
    principal: appPrincipal(serverId),
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
