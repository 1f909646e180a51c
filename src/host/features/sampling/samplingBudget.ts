import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { messageOf } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { once } from '../../../base/late.ts';
import type { SharedText } from '../../../base/sharedStorage.ts';
import type { ShownBudget } from '../../../contract/questions/samplingQuestions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** More than the flood guard lets through in a day. */
const maxUses = 30_000;

export interface SamplingLimits {
  readonly requestsPerHour: number;
  readonly tokensPerDay: number;
}

const defaultLimits: SamplingLimits = { requestsPerHour: 20, tokensPerDay: 100_000 };

const use = once(() => z.object({ id: z.string(), at: z.number(), tokens: z.number() }));
type Use = z.infer<ReturnType<typeof use>>;
const account = once(() => z.object({ requestsPerHour: z.number(), tokensPerDay: z.number(), uses: z.array(use()) }));
type Account = z.infer<ReturnType<typeof account>>;
const budgetFile = once(() => z.object({ version: z.literal(1), servers: z.record(z.string(), z.unknown()) }));

/** A request that was paid for in advance, at the most that it can cost. */
export interface Payment {
  /** What it took in the end. */
  settle(tokens: number): Promise<void>;
}

export interface SamplingBudgetsOptions {
  /** Shared by all windows: a server in two of them has one budget. */
  readonly storage: SharedText;
  readonly now?: () => number;
  readonly log: Log;
}

/** What servers may spend of the person's model: requests in an hour and tokens in a day, both counted back from now. */
export class SamplingBudgets {
  readonly #storage: SharedText;
  readonly #now: () => number;
  readonly #log: Log;

  constructor({ storage, now = Date.now, log }: SamplingBudgetsOptions) {
    this.#storage = storage;
    this.#now = now;
    this.#log = log;
  }

  /** As a question shows it, for a request that may take so many tokens. */
  async look(serverId: string, tokens: number): Promise<ShownBudget> {
    return budgetOf(this.#accountIn(await this.#read(), serverId), tokens, this.#now());
  }

  /** False when they could not be kept. */
  async setLimits(serverId: string, limits: SamplingLimits): Promise<boolean> {
    return this.#change(serverId, (old) => ({ ...old, ...limits }));
  }

  /**
   * Undefined when it does not fit into what is left, or nobody knows what is: whoever is answered unseen has been paid for by the
   * person before, so that an account that is not there has been lost. Nothing is counted then.
   */
  async payWithin(serverId: string, tokens: number): Promise<Payment | undefined> {
    return this.#pay(serverId, tokens, (old, isKnown) => isKnown && !budgetOf(old, tokens, this.#now()).isExceeded);
  }

  /** For what the person has just agreed to, whatever is left. */
  async pay(serverId: string, tokens: number): Promise<Payment> {
    return (await this.#pay(serverId, tokens, () => true)) ?? { settle: () => Promise.resolve() };
  }

  /** Nothing is spent unseen where it cannot be counted; what the person agreed to is no secret to them. */
  async #pay(serverId: string, tokens: number, isFitting: (old: Account, isKnown: boolean) => boolean): Promise<Payment | undefined> {
    const id = randomUUID();
    const paid: boolean[] = [];
    const isKept = await this.#change(serverId, (old, isKnown) => {
      paid.push(isFitting(old, isKnown));
      return paid.at(-1) === true ? { ...old, uses: [...old.uses, { id, at: this.#now(), tokens }].slice(-maxUses) } : undefined;
    });
    if (!isKept || paid.at(-1) !== true) {
      return undefined;
    }
    return {
      settle: async (taken) => {
        const settled = (each: Use): Use => (each.id === id ? { ...each, tokens: taken } : each);
        await this.#change(serverId, (old, isKnown) => (isKnown ? { ...old, uses: old.uses.map(settled) } : undefined));
      },
    };
  }

  /** `change` gives undefined where all stays as it is. */
  async #change(serverId: string, change: (old: Account, isKnown: boolean) => Account | undefined): Promise<boolean> {
    try {
      await this.#storage.modify((text) => {
        const accounts = readAccounts(text);
        const changed = change(this.#accountIn(accounts, serverId), accounts.has(serverId));
        if (changed === undefined) {
          return text ?? '';
        }
        const servers = Object.fromEntries(accounts.set(serverId, changed));
        return `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`;
      });
      return true;
    } catch (error) {
      this.#log.warn(`What servers spend of the model could not be written down: ${messageOf(error)}`);
      return false;
    }
  }

  async #read(): Promise<ReadonlyMap<string, Account>> {
    try {
      return readAccounts(await this.#storage.read());
    } catch (error) {
      this.#log.warn(`What servers have spent of the model could not be read: ${messageOf(error)}`);
      return new Map();
    }
  }

  #accountIn(accounts: ReadonlyMap<string, Account>, serverId: string): Account {
    const since = this.#now() - dayMs;
    const { uses, ...limits } = accounts.get(serverId) ?? { ...defaultLimits, uses: [] };
    return { ...limits, uses: uses.filter(({ at }) => at > since) };
  }
}

/** Pure. */
export function budgetOf({ uses, requestsPerHour, tokensPerDay }: Account, wanted: number, now: number): ShownBudget {
  const requests = uses.filter(({ at }) => at > now - hourMs).length;
  const tokens = uses.filter(({ at }) => at > now - dayMs).reduce((sum, each) => sum + each.tokens, 0);
  const isExceeded = requests + 1 > requestsPerHour || tokens + wanted > tokensPerDay;
  return { requestsPerHour, tokensPerDay, requests, tokens, isExceeded };
}

/** Those that are whole: a damaged one takes no other with it. */
function readAccounts(text: string | undefined): Map<string, Account> {
  try {
    const { servers } = budgetFile().parse(JSON.parse(text ?? ''));
    return new Map(
      Object.entries(servers).flatMap(([serverId, value]) => {
        const read = account().safeParse(value);
        return read.success ? [[serverId, read.data] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}
