import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { SharedText } from '../../base/sharedText.ts';
import type { ShownBudget } from '../../contract/questions/samplingQuestions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** More than the flood guard lets through in a day. */
const maxUses = 30_000;

export interface SamplingLimits {
  readonly requestsPerHour: number;
  readonly tokensPerDay: number;
}

const defaultLimits: SamplingLimits = { requestsPerHour: 20, tokensPerDay: 100_000 };

const use = z.object({ id: z.string(), at: z.number(), tokens: z.number() });
type Use = z.infer<typeof use>;
const account = z.object({ requestsPerHour: z.number(), tokensPerDay: z.number(), uses: z.array(use) });
type Account = z.infer<typeof account>;
const budgetFile = z.object({ version: z.literal(1), servers: z.record(z.string(), account) });

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

  async setLimits(serverId: string, limits: SamplingLimits): Promise<void> {
    await this.#change(serverId, (old) => ({ ...old, ...limits }));
  }

  /** Undefined when it does not fit into what is left: nothing is counted then. */
  async payWithin(serverId: string, tokens: number): Promise<Payment | undefined> {
    return this.#pay(serverId, tokens, (old) => !budgetOf(old, tokens, this.#now()).isExceeded);
  }

  /** For what the person has just agreed to, whatever is left. */
  async pay(serverId: string, tokens: number): Promise<Payment> {
    return (await this.#pay(serverId, tokens, () => true)) ?? { settle: () => Promise.resolve() };
  }

  /** Nothing is spent unseen where it cannot be counted; what the person agreed to is no secret to them. */
  async #pay(serverId: string, tokens: number, isFitting: (old: Account) => boolean): Promise<Payment | undefined> {
    const id = randomUUID();
    const paid: boolean[] = [];
    const isKept = await this.#change(serverId, (old) => {
      paid.push(isFitting(old));
      return paid.at(-1) === true ? { ...old, uses: [...old.uses, { id, at: this.#now(), tokens }].slice(-maxUses) } : old;
    });
    if (!isKept || paid.at(-1) !== true) {
      return undefined;
    }
    return {
      settle: async (taken) => {
        const settled = (each: Use): Use => (each.id === id ? { ...each, tokens: taken } : each);
        await this.#change(serverId, (old) => ({ ...old, uses: old.uses.map(settled) }));
      },
    };
  }

  async #change(serverId: string, change: (old: Account) => Account): Promise<boolean> {
    try {
      await this.#storage.modify((text) => {
        const file = readFile(text);
        const servers = { ...file.servers, [serverId]: change(this.#accountIn(file, serverId)) };
        return `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`;
      });
      return true;
    } catch (error) {
      this.#log.warn(`What servers spend of the model could not be written down: ${messageOf(error)}`);
      return false;
    }
  }

  async #read(): Promise<BudgetFile> {
    try {
      return readFile(await this.#storage.read());
    } catch (error) {
      this.#log.warn(`What servers have spent of the model could not be read: ${messageOf(error)}`);
      return readFile(undefined);
    }
  }

  #accountIn({ servers }: BudgetFile, serverId: string): Account {
    const since = this.#now() - dayMs;
    const { uses, ...limits } = servers[serverId] ?? { ...defaultLimits, uses: [] };
    return { ...limits, uses: uses.filter(({ at }) => at > since) };
  }
}

type BudgetFile = z.infer<typeof budgetFile>;

/** Pure. */
export function budgetOf({ uses, requestsPerHour, tokensPerDay }: Account, wanted: number, now: number): ShownBudget {
  const requests = uses.filter(({ at }) => at > now - hourMs).length;
  const tokens = uses.filter(({ at }) => at > now - dayMs).reduce((sum, each) => sum + each.tokens, 0);
  const isExceeded = requests + 1 > requestsPerHour || tokens + wanted > tokensPerDay;
  return { requestsPerHour, tokensPerDay, requests, tokens, isExceeded };
}

/** A damaged file is a new one: what was spent is forgotten, and the limits are the usual ones. */
function readFile(text: string | undefined): BudgetFile {
  try {
    return budgetFile.parse(JSON.parse(text ?? ''));
  } catch {
    return { version: 1, servers: {} };
  }
}
