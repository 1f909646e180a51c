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

/** For which server requests are answered, and with what. */
export interface HandlerContext {
  readonly serverId: string;
  /** What people call it, now. */
  readonly label: () => string;
  /** The folder it is configured in, which is then all it sees. */
  readonly folder: WorkspaceFolder | undefined;
  readonly gate: ConsentGate;
  readonly ports: FeaturePorts;
  readonly log: Log;
  /** Of sampling and elicitation together: both take the person's time. */
  readonly guard: RequestGuard;
  /** What the server asks meanwhile is withdrawn when they are given up. */
  readonly calls: OpenCalls;
}

export function createGuard(): RequestGuard {
  return new RequestGuard({ atOnce: 3, perMinute: 20 });
}

/** What servers may ask of this side, and who answers. Without it none of it is offered to a server. */
export interface FeaturePorts {
  /** Where the questions that servers cause are shown, when no call of the chat is what they are about. */
  readonly ask: Ask;
  folders(): readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
  /** Settles when the model and the conversation below are there to be asked: they may have to be loaded. */
  readonly prepareModel?: (() => Promise<void>) | undefined;
  readonly samplingModel: SamplingModel;
  readonly samplingBudgets: SamplingBudgets;
  readonly findSecrets: FindSecrets;
  /** What the tools of one server have returned in the conversation of this window, as text. */
  resultsOf(serverId: string): ServerResults;
  /** Where the use of the model is noted; nowhere without it. */
  readonly audit?: Pick<AuditLog, 'note'> | undefined;
  /** Called only after the person pressed "Open link", with an https (or loopback http) address. */
  openExternal(url: string): Promise<void>;
}

export interface ServerResults {
  readonly count: number;
  readonly text: string;
}

/** What one server may ask of the person at once and per minute: more is refused without a question. */
export interface RequestLimits {
  readonly atOnce: number;
  readonly perMinute: number;
}

class RequestGuard {
  readonly #limits: RequestLimits;
  readonly #now: () => number;
  #open = 0;
  #recent: number[] = [];

  constructor(limits: RequestLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** How many questions of this server wait for the person. */
  get open(): number {
    return this.#open;
  }

  /** Throws when it is too early or too much. */
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
      // An abort has a code of its own, which is none of the protocol's.
      throw isAbort(error) ? rpcError(internalError, `The request for ${what} was cancelled.`) : error;
    } finally {
      this.#open -= 1;
    }
  }
}

/** Until the greeting is answered nobody knows who is asking: only a ping may come before. */
export function requireGreeting(client: Client): void {
  if (client.getServerCapabilities() === undefined) {
    throw rpcError(invalidRequest, 'The connection is not initialized yet.');
  }
}

/** For the server's log: nobody was asked, so nobody would know. */
export function storedRefusal(what: string): string {
  return `${what} was refused by a stored answer (“Always deny”); “Duplex: Manage Permissions” takes it back.`;
}

const invalidRequest = -32_600;
export const invalidParams = -32_602;
export const internalError = -32_603;

/** The SDK sends an error's whole-number code and message to the peer. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
