import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { messageOf } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { once } from '../../../base/late.ts';
import type { SharedText } from '../../../base/sharedStorage.ts';
import type { ShownBudget } from '../../../contract/questions/samplingQuestions.ts';

/** The length of an hour in ms, for the limit on requests. */
const hourMs = 3_600_000;
/** The length of a day in ms, for the limit on tokens. */
const dayMs = 24 * hourMs;
/** More than the limit on requests lets through in a day. */
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
  /** Corrects the payment to what the request really took. */
  settle(tokens: number): Promise<void>;
}

export interface SamplingBudgetsOptions {
  /** All windows share it, so that a server in two windows has one budget. */
  readonly storage: SharedText;
  readonly now?: () => number;
  readonly log: Log;
}

/** Limits what each server may spend of the person's model: requests per hour and tokens per day, both counted back from now. */
export class SamplingBudgets {
  readonly #storage: SharedText;
  readonly #now: () => number;
  readonly #log: Log;

  constructor({ storage, now = Date.now, log }: SamplingBudgetsOptions) {
    this.#storage = storage;
    this.#now = now;
    this.#log = log;
  }

  /** The budget as a question shows it, for a request that may take so many tokens. */
  async look(serverId: string, tokens: number): Promise<ShownBudget> {
    return budgetOf(this.#accountIn(await this.#read(), serverId), tokens, this.#now());
  }

  /** Resolves to false when the limits could not be stored. */
  async setLimits(serverId: string, limits: SamplingLimits): Promise<boolean> {
    return this.#change(serverId, (old) => ({ ...old, ...limits }));
  }

  /**
   * Resolves to undefined, and counts nothing, when the request does not fit into what is left, or when there is no account.
   * A server that may be answered unseen had an account before, so a missing one has been lost.
   */
  async payWithin(serverId: string, tokens: number): Promise<Payment | undefined> {
    return this.#pay(serverId, tokens, (old, isKnown) => isKnown && !budgetOf(old, tokens, this.#now()).isExceeded);
  }

  /** Pays for a request that the person has just agreed to, whatever is left. */
  async pay(serverId: string, tokens: number): Promise<Payment> {
    return (await this.#pay(serverId, tokens, () => true)) ?? { settle: () => Promise.resolve() };
  }

  /** A payment that cannot be stored is refused: nothing may be spent unseen without being counted. */
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

  /** `change` returns undefined to leave the account as it is. */
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

export function budgetOf({ uses, requestsPerHour, tokensPerDay }: Account, wanted: number, now: number): ShownBudget {
  const requests = uses.filter(({ at }) => at > now - hourMs).length;
  const tokens = uses.filter(({ at }) => at > now - dayMs).reduce((sum, each) => sum + each.tokens, 0);
  const isExceeded = requests + 1 > requestsPerHour || tokens + wanted > tokensPerDay;
  return { requestsPerHour, tokensPerDay, requests, tokens, isExceeded };
}

/** The readable accounts: a damaged one is left out and harms no other. */
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
