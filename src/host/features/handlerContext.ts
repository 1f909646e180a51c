import { isAbort } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import type { Log } from '../../base/log.ts';
import type { AuditLog } from '../../consent/audit/auditLog.ts';
import type { Ask, ConsentGate } from '../../consent/consentGate.ts';
import type { SamplingModel } from '../../contract/chat/samplingModel.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { Client } from '../shared/sdk.ts';
import type { OpenCalls } from './openCalls.ts';
import type { SamplingBudgets } from './sampling/samplingBudget.ts';
import type { FindSecrets } from './sampling/samplingReview.ts';

/** What the handlers of one server's requests share. */
export interface HandlerContext {
  readonly serverId: string;
  /** Tells what the server was started from, so that no permission holds for another program under its name. */
  readonly identity: () => string;
  /** The name that people use for the server now. */
  readonly label: () => string;
  /** The folder in which the server is configured; it then sees no other folder. */
  readonly folder: WorkspaceFolder | undefined;
  readonly gate: ConsentGate;
  readonly ports: FeaturePorts;
  readonly log: Log;
  /** Limits sampling and elicitation together, because both take the person's time. */
  readonly guard: RequestGuard;
  /** The calls under way. When they are given up, what the server asked meanwhile is withdrawn. */
  readonly calls: OpenCalls;
}

export function createGuard(): RequestGuard {
  return new RequestGuard({ atOnce: 3, perMinute: 20 });
}

/** The ports behind what servers may ask of this side. Without them none of it is offered. */
export interface FeaturePorts {
  /** Shows the questions that servers cause, unless they belong to a call of the chat. */
  readonly ask: Ask;
  folders(): readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
  /** Resolves when the model and the conversation can be asked; they may have to be loaded first. */
  readonly prepareModel?: (() => Promise<void>) | undefined;
  readonly samplingModel: SamplingModel;
  readonly samplingBudgets: SamplingBudgets;
  readonly findSecrets: FindSecrets;
  /** What the tools of one server have returned in the conversation of this window, as text. */
  resultsOf(serverId: string): ServerResults;
  /** Records each use of the model; without it nothing is recorded. */
  readonly audit?: Pick<AuditLog, 'note'> | undefined;
  /** Called only after the person pressed "Open link", with an https (or loopback http) address. */
  openExternal(url: string): Promise<void>;
}

export interface ServerResults {
  readonly count: number;
  readonly text: string;
}

/** How much one server may ask of the person at once and per minute. More is refused without a question. */
export interface RequestLimits {
  readonly atOnce: number;
  readonly perMinute: number;
}

class RequestGuard {
  readonly #limits: RequestLimits;
  readonly #now: () => number;
  #open = 0;
  #recent: number[] = [];

  constructor(limits: RequestLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The number of this server's questions that wait for the person. */
  get open(): number {
    return this.#open;
  }

  /** Throws before the handshake is done, and when the limits are exceeded. */
  async run<T>(what: string, client: Client, work: () => Promise<T>): Promise<T> {
    requireGreeting(client);
    const now = this.#now();
    this.#recent = this.#recent.filter((time) => now - time < 60_000);
    if (this.#open >= this.#limits.atOnce || this.#recent.length >= this.#limits.perMinute) {
      throw rpcError(internalError, `Too many requests for ${what}; try again later.`);
    }
    this.#recent.push(now);
    this.#open += 1;
    try {
      return await work();
    } catch (error) {
      // An AbortError has a code that means nothing in the protocol.
      throw isAbort(error) ? rpcError(internalError, `The request for ${what} was cancelled.`) : error;
    } finally {
      this.#open -= 1;
    }
  }
}

/** Throws before the handshake is done: until then nobody knows who is asking, and only a ping is allowed. */
export function requireGreeting(client: Client): void {
  if (client.getServerCapabilities() === undefined) {
    throw rpcError(invalidRequest, 'The connection is not initialized yet.');
  }
}

/** The log line about a request that a stored answer refused. Nobody was asked, so nobody would know otherwise. */
export function storedRefusal(what: string): string {
  return `${what} was refused by a stored answer (“Always deny”); “Duplex: Manage Permissions” takes it back.`;
}

const invalidRequest = -32_600;
export const invalidParams = -32_602;
export const internalError = -32_603;

/** Makes an error whose code and message the SDK sends to the peer. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
