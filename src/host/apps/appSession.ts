import { atMost } from '../../base/abort.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { silentLog } from '../../base/log.ts';
import { type AppLook, maxAppMessage } from '../../contract/chat/appMessages.ts';
import type { AppFrame, DisplayMode, WantedApp } from '../../contract/chat/appShowing.ts';
import { appsRevision } from '../../contract/protocolNames.ts';
import { type RawToolResult, readResult } from '../connection/serverSession.ts';
import { readTools } from '../connection/toolList.ts';
import { Refresher } from '../intake/listReading.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import {
  allowed,
  AppRefusal,
  contextIn,
  declaredModes,
  declined,
  demanded,
  displayModeIn,
  everyMode,
  lookContext,
  maxShownHeight,
  wantedFiles,
  messageIn,
  objectIn,
  doneOrNot,
  parsedMessage,
  refusalOfMany,
  textIn,
  unknown,
  type WantedFile,
  webAddressIn,
} from './appParams.ts';
import { AppRequests } from './appRequests.ts';

/**
 * What an app may have done outside of its frame. Each asks the person where that is needed, and rejects with an `AppRefusal`. What is
 * missing is not offered to the app.
 */
export interface AppPorts {
  callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  readResource(uri: string, signal: AbortSignal): Promise<JsonObject>;
  listResources(): readonly JsonObject[];
  /** Opens an address in the person's browser; false when they do not want it. */
  openLink(url: URL, signal: AbortSignal): Promise<boolean>;
  /** Sends a message in the person's name; false when they do not want it. */
  readonly say?: ((text: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Gives the model a text with the next message, in place of the one before; false when the person does not want it. */
  readonly tellModel?: ((text: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Saves files where the person wants them; false when they do not want it. */
  download(files: readonly WantedFile[], signal: AbortSignal): Promise<boolean>;
  /** Asks the person's model, after the review. */
  readonly sample?: ((params: JsonObject, signal: AbortSignal) => Promise<JsonObject>) | undefined;
  log(text: string): void;
}

/** The call that an app shows, with the tool as its server describes it. */
export type ShownCall = WantedApp['call'] & { readonly tool: JsonObject };

export interface AppSessionOptions {
  readonly call: ShownCall;
  readonly ports: AppPorts;
  readonly frame: AppFrame;
  readonly look: AppLook;
  readonly version: string;
  readonly locale: string;
  readonly platform: 'web' | 'desktop';
  /** Called with each message, as JSON text. */
  readonly note?: ((direction: 'sent' | 'received', text: string) => void) | undefined;
  /** Called with the tools that the app offers, and with undefined when it offers none. Without it the app is not asked. */
  readonly offer?: ((tools: readonly ToolInfo[] | undefined) => void) | undefined;
  /** What the app may reach, as its policy has it. */
  readonly granted: { readonly connectDomains: readonly string[]; readonly resourceDomains: readonly string[] };
}

const invalidRequest = -32_600;
const internalError = -32_603;

/** The most requests of one app that wait for an answer. */
const maxOpen = 20;
/** How long an app has to say that it is ready to go. */
const teardownMs = 1_000;
/** How long an app has to say which tools it offers. */
const listMs = 10_000;
/** How long, in ms, a request that came too early waits until the app says that it is initialised. */
const earlyMs = 10_000;
/** The most characters of a line that an app writes to the log, and of an error that it is told. */
const maxLogLength = 2_000;

type State = 'new' | 'initializing' | 'running' | 'over';

/**
 * The messages between one showing of an app and its host, from `ui/initialize` to the end of its frame. The app gets nothing before it
 * says that it is initialised: then the arguments of the call, and its result. Whatever it sends is answered or dropped.
 */
export class AppSession {
  readonly #options: AppSessionOptions;
  readonly #open = new Map<string | number, AbortController>();
  readonly #asked = new AppRequests((message) => this.#send(message));
  readonly #gone = new AbortController();
  #look: AppLook;
  #state: State = 'new';
  #begun: (isRunning: true) => void = () => undefined;
  readonly #running = new Promise<true>((resolve) => (this.#begun = resolve));
  #modes: readonly DisplayMode[] = ['inline'];
  #holds = 0;
  #hasTools = false;
  readonly #lists = new Refresher(() => this.#listTools(), this.#gone.signal);

  constructor(options: AppSessionOptions) {
    this.#options = options;
    this.#look = options.look;
  }

  /** Something that the app asked for is under way (a call, a question, a file that is saved), or something that it is asked for. */
  get isBusy(): boolean {
    return this.#open.size + this.#asked.size + this.#holds > 0;
  }

  /** Keeps the app awake until the result is disposed. */
  hold(): Disposable {
    this.#holds += 1;
    return toDisposable(() => (this.#holds -= 1));
  }

  /** Calls a tool that the app offers. */
  async callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<RawToolResult> {
    return readResult(await this.#asked.ask('tools/call', { name, arguments: args }, { signal }));
  }

  /** Takes one message of the app, as JSON text. */
  receive(text: string): void {
    const message = parsedMessage(text);
    if (message === undefined || this.#state === 'over') {
      return;
    }
    const { id, method, params } = message;
    const isId = typeof id === 'string' || typeof id === 'number';
    const refusal = refusalOfMany(text);
    if (refusal !== undefined) {
      this.#options.note?.('received', JSON.stringify({ jsonrpc: '2.0', id, method, params: '…' }));
      if (isId && method !== undefined) {
        this.#refuse(id, refusal);
      } else if (typeof id === 'number') {
        this.#asked.receive(id, { error: { code: refusal.code, message: refusal.message } });
      }
      return;
    }
    this.#options.note?.('received', text);
    if (typeof method === 'string') {
      const given = isJsonObject(params) ? params : {};
      if (isId) {
        void this.#answer(id, method, given);
      } else {
        this.#hear(method, given);
      }
    } else if (typeof id === 'number') {
      this.#asked.receive(id, message);
    }
  }

  /** Tells the app that colours or room have changed. */
  setLook(look: AppLook): void {
    this.#look = look;
    if (this.#state === 'running') {
      this.#notify('ui/notifications/host-context-changed', lookContext(this.#look));
    }
  }

  /** Ends the app: it has a second to tidy up, if it ever came to run. Nothing that it asked for goes on. */
  async end(): Promise<void> {
    if (this.#state === 'running') {
      // Whatever it answers: it had its time.
      await this.#asked.ask('ui/resource-teardown', {}, { timeoutMs: teardownMs }).catch(() => undefined);
    }
    this.dispose();
  }

  /** Ends the session once the frame is gone: the app is asked nothing more. */
  dispose(): void {
    this.#state = 'over';
    this.#gone.abort();
    this.#asked.end();
    this.#options.offer?.(undefined);
  }

  /** Asks the app which tools it has now. One that gives no list has none. */
  async #listTools(): Promise<void> {
    const { offer } = this.#options;
    try {
      const { tools } = await this.#asked.ask('tools/list', {}, { timeoutMs: listMs });
      const raw: readonly unknown[] = Array.isArray(tools) ? tools : [];
      offer?.(this.#state === 'running' ? readTools(raw.filter(isJsonObject), undefined, silentLog) : undefined);
    } catch {
      offer?.(undefined);
    }
  }

  async #answer(id: string | number, method: string, params: JsonObject): Promise<void> {
    if (this.#open.has(id) || this.#open.size >= maxOpen) {
      this.#refuse(id, new AppRefusal(invalidRequest, 'Too many requests are open, or one with this id is.'));
      return;
    }
    const wanted = new AbortController();
    this.#open.set(id, wanted);
    try {
      const result = await this.#result(method, params, AbortSignal.any([wanted.signal, this.#gone.signal]));
      if (!wanted.signal.aborted) {
        this.#reply(id, result);
        this.#changeMode(method, result);
      }
    } catch (error) {
      if (!wanted.signal.aborted) {
        this.#refuse(id, error);
      }
    } finally {
      this.#open.delete(id);
    }
  }

  async #result(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { ports } = this.#options;
    if (method === 'ping') {
      return {};
    }
    if (method === 'ui/initialize') {
      return this.#initialize(params);
    }
    // Apps call tools a moment after they are loaded; on a busy machine that is before they are initialised.
    if (this.#state !== 'running' && (await atMost(this.#running, earlyMs, signal)) === undefined) {
      throw new AppRefusal(invalidRequest, 'Send ui/initialize and ui/notifications/initialized first.');
    }
    switch (method) {
      case 'tools/call':
        return ports.callTool(textIn(params, 'name'), objectIn(params, 'arguments'), signal);
      case 'resources/read':
        return ports.readResource(textIn(params, 'uri'), signal);
      case 'resources/list':
        return { resources: [...ports.listResources()] };
      case 'ui/open-link':
        return doneOrNot(await ports.openLink(webAddressIn(params), signal));
      case 'ui/message':
        return doneOrNot(await demanded(ports.say, method)(messageIn(params), signal));
      case 'ui/update-model-context':
        return allowed(await demanded(ports.tellModel, method)(contextIn(params), signal));
      case 'ui/download-file':
        return doneOrNot(await ports.download(wantedFiles(params), signal));
      case 'sampling/createMessage':
        return demanded(ports.sample, method)(params, signal);
      case 'ui/request-display-mode':
        return { mode: this.#resultingMode(displayModeIn(params)) };
      default:
        throw unknown(method);
    }
  }

  /** The mode that a wish leads to: the present one where the app did not declare the other, or there is none. */
  #resultingMode(wanted: string): DisplayMode {
    const { mode, change } = this.#options.frame;
    return change === undefined ? mode : (this.#modes.find((each) => each === wanted) ?? mode);
  }

  /** The frame goes with the mode, so the app has its answer first. */
  #changeMode(method: string, { mode }: JsonObject): void {
    const { frame } = this.#options;
    const next = method === 'ui/request-display-mode' ? this.#modes.find((each) => each === mode) : undefined;
    if (next !== undefined && next !== frame.mode) {
      frame.change?.(next);
    }
  }

  #initialize(params: JsonObject): JsonObject {
    if (this.#state !== 'new') {
      throw new AppRefusal(invalidRequest, 'The app is initialised already.');
    }
    textIn(params, 'protocolVersion');
    const { version, frame } = this.#options;
    const declared = declaredModes(params);
    // An app that declares nothing is never put into a tab by the host, but may ask for it.
    this.#modes = frame.change === undefined ? [frame.mode] : (declared ?? everyMode);
    this.#hasTools = isJsonObject(objectIn(params, 'appCapabilities')['tools']);
    this.#state = 'initializing';
    frame.declared?.(declared ?? ['inline']);
    return {
      protocolVersion: appsRevision,
      hostInfo: { name: 'Duplex', version },
      hostCapabilities: this.#capabilities(),
      hostContext: this.#context(),
    };
  }

  /** The capabilities that this showing of the app really has. */
  #capabilities(): JsonObject {
    const { granted, ports } = this.#options;
    return {
      openLinks: {},
      downloadFile: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      ...(ports.say !== undefined && { message: { text: {} } }),
      ...(ports.tellModel !== undefined && { updateModelContext: { text: {}, structuredContent: {} } }),
      ...(ports.sample !== undefined && { sampling: { tools: {} } }),
      sandbox: { permissions: {}, csp: { connectDomains: [...granted.connectDomains], resourceDomains: [...granted.resourceDomains] } },
    };
  }

  #context(): JsonObject {
    const { call, locale, platform, frame } = this.#options;
    return {
      toolInfo: { tool: call.tool },
      displayMode: frame.mode,
      availableDisplayModes: [...this.#modes],
      locale,
      platform,
      userAgent: 'Duplex',
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
      ...lookContext(this.#look),
    };
  }

  #hear(method: string, params: JsonObject): void {
    const { frame, ports } = this.#options;
    switch (method) {
      case 'ui/notifications/initialized':
        this.#begin();
        break;
      case 'ui/notifications/size-changed':
        if (typeof params['height'] === 'number' && Number.isFinite(params['height'])) {
          frame.resize(Math.ceil(Math.min(maxShownHeight, Math.max(0, params['height']))));
        }
        break;
      case 'ui/notifications/request-teardown':
        frame.close();
        break;
      case 'notifications/tools/list_changed':
        this.#askForTools();
        break;
      case 'notifications/message':
        ports.log(JSON.stringify(params['data'] ?? '').slice(0, maxLogLength));
        break;
      case 'notifications/cancelled': {
        const { requestId } = params;
        const open = typeof requestId === 'string' || typeof requestId === 'number' ? this.#open.get(requestId) : undefined;
        open?.abort();
        break;
      }
    }
  }

  #begin(): void {
    if (this.#state !== 'initializing') {
      return;
    }
    this.#state = 'running';
    this.#begun(true);
    const { call } = this.#options;
    this.#notify('ui/notifications/tool-input', { arguments: call.arguments });
    if (call.result === undefined) {
      this.#notify('ui/notifications/tool-cancelled', { reason: 'The call was cancelled.' });
    } else {
      this.#notify('ui/notifications/tool-result', call.result);
    }
    this.#askForTools();
  }

  #askForTools(): void {
    if (this.#hasTools && this.#state === 'running' && this.#options.offer !== undefined) {
      this.#lists.request();
    }
  }

  #notify(method: string, params: JsonObject): void {
    this.#send({ method, params });
  }

  #reply(id: string | number, result: JsonObject): void {
    if (!this.#send({ id, result })) {
      this.#refuse(id, new AppRefusal(internalError, 'The answer is too large for an app.'));
    }
  }

  #refuse(id: string | number, error: unknown): void {
    const code = error instanceof AppRefusal ? error.code : isAbort(error) ? declined : internalError;
    this.#send({ id, error: { code, message: messageOf(error).slice(0, maxLogLength) } });
  }

  /** Sends a message; the result is false for one that is too large to be sent. */
  #send(message: JsonObject): boolean {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (text.length > maxAppMessage || this.#state === 'over') {
      return false;
    }
    this.#options.note?.('sent', text);
    this.#options.frame.send(text);
    return true;
  }
}
