import { messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { HostRoots } from './hostRoots.ts';
import { HostState, Replay } from './hostState.ts';
import { becomesSilent, keepConnected } from './keepConnected.ts';
import { invalidText, onOneLine, parseMessages, problemWith, toRequest } from './messages.ts';
import { type Offline, OfflineService } from './offline.ts';
import { bridgeError, describeClose, windowIsSilent } from './sentences.ts';
import type { BridgeTimings } from './timings.ts';
import type { WindowConnector } from './windowConnector.ts';
import type { Link } from './windowLink.ts';
import { WindowRequests } from './windowRequests.ts';

export interface RelayOptions {
  readonly offline: Offline;
  readonly connector: Pick<WindowConnector, 'connect' | 'watch' | 'windowLost' | 'isSilent'>;
  readonly roots: HostRoots;
  /** Takes a message for the host; false when the host reads too slowly. `hostDrained` is called when that is over. */
  readonly toHost: (text: string) => boolean;
  /** Says whether more of the host's messages are wanted. */
  readonly readHost: (isWanted: boolean) => void;
  readonly complain: (text: string) => void;
  readonly timings: BridgeTimings;
}

type WindowState =
  | { readonly kind: 'absent' }
  /** The window is told what the window before it was told; what the host asks meanwhile waits. */
  | { readonly kind: 'replaying'; readonly link: Link }
  /** The window has been told everything and serves the host. */
  | { readonly kind: 'serving'; readonly link: Link };

/** The state of the host, independent of that of the window: either may go while the other is in any of its states. */
type RunState =
  | { readonly kind: 'running' }
  /** The host has no more to say; `finish` ends the wait for the answers it still expects. */
  | { readonly kind: 'finishing'; readonly finish: () => void }
  /** Everything is over; only the closing of the window is still waited for. */
  | { readonly kind: 'stopped' };

/** Passes messages between the host and whatever window there is; while there is none, the offline service takes them. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #conversation = new HostState();
  readonly #windowRequests = new WindowRequests();
  readonly #offlineService: OfflineService;
  /** Fires when the state becomes `stopped`. */
  readonly #stopping = new AbortController();
  #window: WindowState = { kind: 'absent' };
  #state: RunState = { kind: 'running' };

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#offlineService = new OfflineService({
      ...options,
      conversation: this.#conversation,
      onAnswered: () => this.#finishIfIdle(),
    });
  }

  /** Runs the relay. The promise resolves after `stop`, or after `end`, when there is no connection left. */
  run(): Promise<void> {
    const { connector, timings } = this.#options;
    const user = {
      serve: (link: Link) => this.#serve(link),
      unavailable: (reason: string) => this.#offlineService.noWindow(reason),
    };
    return keepConnected(connector, user, timings, this.#stopping.signal);
  }

  /** Called when the host has no more to say: answers on their way still get to it, if they come soon. */
  async end(): Promise<void> {
    if (this.#state.kind !== 'running') {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((finish) => {
      timer = setTimeout(finish, this.#options.timings.shutdownGrace);
      this.#state = { kind: 'finishing', finish };
      this.#finishIfIdle();
    });
    clearTimeout(timer);
    this.#offlineService.close();
    this.stop();
  }

  /** Ends everything at once. */
  stop(): void {
    const before = this.#state;
    if (before.kind === 'stopped') {
      return;
    }
    this.#state = { kind: 'stopped' };
    this.#stopping.abort();
    this.#options.roots.close();
    if (this.#window.kind !== 'absent') {
      this.#window.link.close();
    }
    if (before.kind === 'finishing') {
      before.finish();
    }
  }

  hostDrained(): void {
    if (this.#window.kind !== 'absent') {
      this.#window.link.resume();
    }
  }

  fromHost(text: string): void {
    const parsed = parseMessages(text);
    if (parsed === undefined) {
      this.#options.complain('A line that is not JSON was skipped.\n');
      return;
    }
    const { items, isBatch } = parsed;
    const alone = isBatch ? undefined : items[0];
    if (alone !== undefined && this.#options.roots.takes(alone)) {
      return;
    }
    const whyNoBatch = isBatch ? this.#options.offline.problemWithBatch(items) : undefined;
    const refused = whyNoBatch === undefined ? this.#note(items, isBatch ? undefined : text) : new Map<JsonObject, string>();
    const refusal = whyNoBatch === undefined ? alone && refused.get(alone) : invalidText({}, whyNoBatch);
    if (refusal !== undefined && this.#window.kind !== 'serving') {
      this.#options.toHost(refusal);
      return;
    }
    if (alone !== undefined && refusal === undefined && this.#opensAlone(alone)) {
      return;
    }
    items.forEach((message) => this.#options.roots.heard(message));
    const own = alone === undefined ? text : this.#windowRequests.fromHost(alone, text);
    if (own !== undefined && this.#window.kind === 'serving') {
      this.#toWindow(this.#window.link, own);
    } else if (own !== undefined) {
      this.#offlineService.fromHost({ text, items, isBatch, refused });
    }
  }

  /**
   * Takes note of what the host says. What every window would refuse is left out, and returned with its answer: a window that serves
   * is sent it all the same, and answers by itself.
   */
  #note(items: readonly JsonObject[], line: string | undefined): ReadonlyMap<JsonObject, string> {
    const refused = new Map<JsonObject, string>();
    for (const message of items) {
      const request = toRequest(message);
      const isOpen = request !== undefined && this.#conversation.isOpen(request.id);
      const problem = problemWith(message) ?? (isOpen ? 'a request with this id is still unanswered' : undefined);
      if (problem !== undefined) {
        refused.set(message, invalidText(message, problem));
        continue;
      }
      if (request?.method === 'initialize' && this.#conversation.handshake === undefined) {
        this.#options.offline.noteHandshake(request);
      }
      this.#conversation.fromHost(message, line ?? JSON.stringify(message));
    }
    return refused;
  }

  /** Answers a handshake from here, if the roots decide which window it will be: a host tells those only after the handshake. */
  #opensAlone(message: JsonObject): boolean {
    const { roots, offline } = this.#options;
    const request = toRequest(message);
    if (request === undefined || !roots.announces(request) || !offline.canOpen(request)) {
      return false;
    }
    this.#offlineService.answerHandshake(request);
    roots.expect();
    return true;
  }

  #toWindow(link: Link, text: string): void {
    if (!link.send(text)) {
      this.#options.readHost(false);
      link.onDrain(() => this.#options.readHost(true));
    }
  }

  /** Serves the host through this window until the window is gone. */
  async #serve(link: Link): Promise<void> {
    if (this.#state.kind === 'stopped') {
      link.close();
      return;
    }
    const replay = new Replay(link, this.#conversation, (text) => void this.#options.toHost(text));
    this.#window = { kind: 'replaying', link };
    let whyLeft: string | undefined;
    const closed = new Promise<number>((resolve) => {
      link.listen({ text: (text) => this.#fromWindow(text, link, replay), closed: resolve });
    });
    try {
      const ready = replay.run(this.#offlineService.heldIds(), this.#options.timings.connect).then(() => 'ready' as const);
      if ((await Promise.race([ready, closed])) === 'ready' && !this.#stopping.signal.aborted) {
        this.#begin(link);
      }
    } catch (error) {
      whyLeft = messageOf(error);
      this.#offlineService.explain(`${whyLeft}\n`);
      link.close();
    }
    const over = new AbortController();
    void this.#becomesSilent(over.signal).then((isSilent) => {
      if (isSilent) {
        whyLeft = windowIsSilent;
        link.close();
      }
    });
    const closeCode = await closed;
    over.abort();
    this.#onLost(closeCode, whyLeft);
  }

  /** Whether the window lets the host wait and its page does not answer; false when the window is gone anyway. */
  #becomesSilent(over: AbortSignal): Promise<boolean> {
    const { connector, timings } = this.#options;
    const watch = {
      waitingSince: () => this.#conversation.waitingSince,
      isSilent: () => connector.isSilent(),
      patienceMs: timings.callPatience,
      againMs: timings.silenceCheck,
      maxSilenceMs: timings.maxSilence,
    };
    return becomesSilent(watch, over);
  }

  #begin(link: Link): void {
    this.#window = { kind: 'serving', link };
    for (const text of this.#offlineService.handOver()) {
      this.#toWindow(link, text);
    }
    this.#offlineService.notifyOfChanges();
  }

  #onLost(closeCode: number, whyLeft: string | undefined): void {
    const before = this.#window;
    this.#window = { kind: 'absent' };
    this.#options.readHost(true);
    if (this.#state.kind === 'stopped') {
      return;
    }
    if (before.kind !== 'serving') {
      // The next window may serve, but what the host asks must not wait for that for ever.
      this.#offlineService.noWindow(`${whyLeft ?? bridgeError('bridge.handshake').message}\n`);
      return;
    }
    this.#options.connector.windowLost();
    this.#offlineService.windowLost(whyLeft ?? describeClose(closeCode));
    for (const notice of this.#windowRequests.abandon()) {
      this.#options.toHost(notice);
    }
  }

  #fromWindow(text: string, link: Link, replay: Replay): void {
    const parsed = parseMessages(text);
    if (parsed === undefined) {
      this.#options.complain('A message of the window that is not JSON was skipped.\n');
      return;
    }
    const [first] = parsed.items;
    if (!parsed.isBatch && first !== undefined && (replay.takes(first) || this.#conversation.endsSubscription(first))) {
      return;
    }
    for (const message of parsed.items) {
      this.#conversation.noteAnswer(message);
    }
    const own = parsed.isBatch || first === undefined ? text : this.#windowRequests.fromWindow(first, text);
    if (!this.#options.toHost(onOneLine(own))) {
      link.pause();
    }
    this.#finishIfIdle();
  }

  #finishIfIdle(): void {
    if (this.#state.kind === 'finishing' && this.#conversation.inFlight.length === 0) {
      this.#state.finish();
    }
  }
}
