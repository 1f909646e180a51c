import { randomUUID } from 'node:crypto';
import type { Disposable } from '../base/lifecycle.ts';
import type { Asker } from '../contract/questions/asker.ts';
import type { Ask } from './consentGate.ts';
import type { OwnPrincipal } from './consentModel.ts';

/** A call that one of Duplex's own surfaces makes of the editor's server, and where its questions are shown. */
export interface OwnCall {
  readonly principal: OwnPrincipal;
  /** Named in the question. */
  readonly asker: Asker;
  readonly ask: Ask;
}

/** The calls that are under way: the server finds by the id who asks and where, since the protocol between them carries neither. */
export class OwnCalls {
  readonly #open = new Map<string, OwnCall>();

  begin(call: OwnCall): Disposable & { readonly id: string } {
    const id = randomUUID();
    this.#open.set(id, call);
    return { id, dispose: () => void this.#open.delete(id) };
  }

  /** `undefined` for a call that is over or never was. */
  find(id: string | undefined): OwnCall | undefined {
    return id === undefined ? undefined : this.#open.get(id);
  }
}
