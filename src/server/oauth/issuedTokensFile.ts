import * as z from 'zod';
import type { Log } from '../../base/log.ts';
import type { SharedText } from '../../base/sharedText.ts';
import { storedGrant, type StoredGrant } from './issuedTokens.ts';
import { registration, type Registration } from './registrations.ts';

/** What survives the listener when its port is fixed: registrations that were let in, and hashes of their tokens. */
export interface OauthState {
  readonly registrations: readonly Registration[];
  readonly grants: readonly StoredGrant[];
}

export type OauthStorage = Pick<SharedText, 'read' | 'modify'>;

const stateOfPort = z.object({ registrations: z.array(registration), grants: z.array(storedGrant) });
const file = z.object({ version: z.literal(1), ports: z.record(z.string(), z.unknown()) });

/** Only one window has a port at a time, so each port's part has one writer. */
export class IssuedTokensFile {
  readonly #storage: OauthStorage;
  readonly #port: string;
  readonly #log: Log;
  #queue: Promise<void> = Promise.resolve();
  /** What the write that waits will ask for. */
  #current: (() => OauthState) | undefined;

  /** What was stored when the listener opened. */
  readonly initial: OauthState;

  private constructor(storage: OauthStorage, port: number, log: Log, initial: OauthState) {
    this.#storage = storage;
    this.#port = String(port);
    this.#log = log;
    this.initial = initial;
  }

  static async open(storage: OauthStorage, port: number, log: Log): Promise<IssuedTokensFile> {
    let initial: OauthState = { registrations: [], grants: [] };
    try {
      const part = stateOfPort.safeParse(readPorts(await storage.read())[String(port)]);
      initial = part.success ? part.data : initial;
    } catch (error) {
      log.error('What OAuth clients were given could not be read; they are asked about again.', error);
    }
    return new IssuedTokensFile(storage, port, log, initial);
  }

  /** Several changes in a row are one write, with what is true when it happens. */
  save(current: () => OauthState): void {
    const isWaiting = this.#current !== undefined;
    this.#current = current;
    if (isWaiting) {
      return;
    }
    this.#queue = this.#queue
      .then(() => {
        const state = (this.#current ?? current)();
        this.#current = undefined;
        return this.#storage.modify((text) => JSON.stringify({ version: 1, ports: { ...readPorts(text), [this.#port]: state } }));
      })
      .catch((error: unknown) => {
        this.#log.error('What OAuth clients were given could not be stored.', error);
      });
  }

  settled(): Promise<void> {
    return this.#queue;
  }
}

function readPorts(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return file.parse(JSON.parse(text ?? '')).ports;
  } catch {
    return {};
  }
}
