import { isAbort, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { AppPrincipal } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { WantedApp } from '../../contract/chat/appShowing.ts';
import type { AppActQuestion } from '../../contract/questions/appQuestions.ts';
import type { Choice } from '../../contract/questions/questions.ts';
import { redactWith, secretPlaces } from '../../secrets/redactSecrets.ts';
import type { ResourcePart } from '../features/resources.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ContentReader } from '../resources/contentReader.ts';
import type { ToolCaller } from '../tools/toolCaller.ts';
import { invalidParams } from '../features/handlerContext.ts';
import { AppRefusal, declined, type WantedFile } from './appParams.ts';
import type { AppPorts } from './appSession.ts';

/** What the acts of apps need of the window. */
export interface AppActOptions {
  readonly registry: HostRegistry;
  readonly caller: Pick<ToolCaller, 'call'>;
  readonly reader: Pick<ContentReader, 'readResource'>;
  readonly gate: Pick<ConsentGate, 'check' | 'verdict'>;
  readonly openLink: (href: string) => Promise<void>;
  /** Saves a file where the person wants it; false when they do not want it after all. */
  readonly saveFile: (name: string, bytes: Uint8Array) => Promise<boolean>;
  /** Writes a line to the log of a server. */
  readonly log: (server: string, line: string) => void;
}

/** The app that acts, and those who hear of it. */
type ActingApp = Pick<WantedApp, 'serverId' | 'tool' | 'ask' | 'say' | 'tellModel'>;

type Act = AppActQuestion['what'];

/** After so many refusals in a row nothing more is asked for an app until it is opened anew. */
const maxRefusals = 3;

/** What one app does outside of its frame. All that it reaches is at the server that it came from; what goes further is asked about. */
export class AppActs {
  readonly #options: AppActOptions;
  readonly #app: ActingApp;
  readonly #asking: PatientAsker;
  readonly #server: string;

  constructor(options: AppActOptions, app: ActingApp) {
    this.#options = options;
    this.#app = app;
    this.#asking = new PatientAsker(app.ask);
    this.#server = options.registry.labelOf(app.serverId);
  }

  ports(): AppPorts {
    const { registry, openLink, log } = this.#options;
    const { serverId, say, tellModel, tool } = this.#app;
    const sample = registry.features(serverId).sample;
    return {
      callTool: (name, args, signal) => this.#callTool(name, args, signal),
      readResource: async (uri, signal) => ({ contents: (await this.#read(uri, signal)).map(toContent) }),
      listResources: () => {
        const resources = registry.servers().find(({ id }) => id === serverId)?.resources ?? [];
        return resources.map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType }));
      },
      openLink: (url, signal) =>
        this.#after({ kind: 'openLink', url: revealInvisible(url.href), host: revealInvisible(url.host) }, signal, () =>
          openLink(url.href),
        ),
      say:
        say && ((text, signal) => this.#after({ kind: 'message', text: revealInvisible(text) }, signal, () => say(revealInvisible(text)))),
      tellModel: tellModel && ((text, signal) => this.#tellModel(revealInvisible(text), tellModel, signal)),
      download: (files, signal) => this.#download(files, signal),
      sample:
        sample &&
        (async (params, signal) => {
          this.#asking.demand();
          try {
            return await sample(params, { app: tool, ask: this.#asking.ask, signal });
          } catch (error) {
            throw refusalOf(error);
          }
        }),
      log: (text) => log(this.#server, revealInvisible(text)),
    };
  }

  async #tellModel(text: string, tell: (text: string) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    if (text === '') {
      await tell(''); // to take back what was said needs no permission
      return true;
    }
    return this.#after({ kind: 'tellModel', text }, signal, () => tell(text));
  }

  async #download(files: readonly WantedFile[], signal: AbortSignal): Promise<boolean> {
    const ready: { readonly name: string; readonly bytes: Uint8Array }[] = [];
    for (const file of files) {
      ready.push({ name: file.name, bytes: file.kind === 'content' ? file.bytes : await this.#bytesAt(file.uri, signal) });
    }
    const named = ready.map(({ name, bytes }) => ({ name, bytes: bytes.byteLength }));
    let isSaved = true;
    const isAllowed = await this.#after({ kind: 'download', files: named }, signal, async () => {
      for (const { name, bytes } of ready) {
        signal.throwIfAborted();
        isSaved = (await this.#options.saveFile(name, bytes)) && isSaved;
      }
    });
    return isAllowed && isSaved;
  }

  /** What is at an address of the app's own server; other addresses are never followed. */
  async #bytesAt(uri: string, signal: AbortSignal): Promise<Uint8Array> {
    const parts = await this.#read(uri, signal);
    return Buffer.concat(parts.map((part) => (part.kind === 'text' ? Buffer.from(part.text) : Buffer.from(part.data, 'base64'))));
  }

  async #read(uri: string, signal: AbortSignal): Promise<readonly ResourcePart[]> {
    try {
      return await readForApp(this.#options.reader, this.#app.serverId, uri, signal);
    } catch {
      throw new AppRefusal(invalidParams, 'There is no such resource.');
    }
  }

  async #callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    this.#asking.demand();
    const { serverId } = this.#app;
    const outcome = await this.#options.caller.call({
      principal: appPrincipal(serverId),
      asker: { kind: 'app', name: this.#server },
      serverId,
      tool: name,
      arguments: args,
      ask: this.#asking.ask,
      signal,
    });
    switch (outcome.kind) {
      case 'result': {
        const { content, structuredContent, isError, meta } = outcome.result;
        const data = structuredContent === undefined ? {} : { structuredContent };
        return { content: [...content], ...data, isError, ...(meta && { _meta: meta }) };
      }
      case 'denied':
        throw new AppRefusal(declined, 'The person declined this call.');
      case 'cancelled':
        throw new AppRefusal(declined, 'The call was cancelled.');
      case 'failed':
        throw outcome.error.code === 'host.unknownTool' ? new AppRefusal(invalidParams, 'There is no such tool for apps.') : outcome.error;
    }
  }

  #materialOf(what: Act): JsonObject {
    const server = this.#options.registry.find(this.#app.serverId)?.identity ?? '';
    return what.kind === 'tellModel' ? { kind: what.kind, server } : { ...what };
  }

  /** Does something if the person allows it; says whether they did. */
  async #after(what: Act, signal: AbortSignal, act: () => unknown): Promise<boolean> {
    this.#asking.demand();
    const { serverId, tool } = this.#app;
    const material = this.#materialOf(what);
    const decision = await this.#options.gate.check({
      request: {
        principal: appPrincipal(serverId),
        action: 'appAct',
        subject: ['server', serverId, 'app', what.kind],
        fingerprint: fingerprintOf(material),
        material,
      },
      detail: { kind: 'appAct', server: revealInvisible(this.#server), tool: revealInvisible(tool), what },
      choices: choicesOf(what),
      ask: this.#asking.ask,
      signal,
    });
    if (decision.kind === 'allowed') {
      await act();
    }
    return decision.kind === 'allowed';
  }
}

/** What the model is told stands beside the next message, where the person sees it and can remove it: that can be allowed for longer. */
function choicesOf({ kind }: Act): readonly Choice[] {
  return ['deny', 'denyAlways', 'allowOnce', ...(kind === 'tellModel' ? (['allowSession'] as const) : [])];
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

/** An error that has a code of the protocol is told to the app as it is. */
function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' && !isAbort(error) ? new AppRefusal(code, messageOf(error)) : error;
}

export function appPrincipal(serverId: string): AppPrincipal {
  return `app:${serverId}`;
}

/** Reads a resource of the server for its app, on record. */
export async function readForApp(
  reader: AppActOptions['reader'],
  serverId: string,
  uri: string,
  signal: AbortSignal,
): Promise<readonly ResourcePart[]> {
  const recordedAs = await redactWith(uri, secretPlaces);
  return reader.readResource({
    kind: 'resource',
    principal: appPrincipal(serverId),
    serverId,
    uri,
    signal,
    recordedAs,
    decidedBy: 'nobody',
  });
}

export function toContent(part: ResourcePart): JsonObject {
  const { uri, mimeType, meta } = part;
  const facts = { uri, ...(mimeType !== undefined && { mimeType }), ...(meta !== undefined && { _meta: meta }) };
  return part.kind === 'text' ? { ...facts, text: part.text } : { ...facts, blob: part.data };
}
