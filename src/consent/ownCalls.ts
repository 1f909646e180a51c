import { randomUUID } from 'node:crypto';
import type { Disposable } from '../base/lifecycle.ts';
import type { MadeEdit } from '../contract/chat/answerParts.ts';
import type { Asker } from '../contract/questions/callKnowledge.ts';
import type { Ask } from './consentGate.ts';
import type { OwnPrincipal } from './consentModel.ts';

/** A call that one of Duplex's own surfaces makes of the editor's server, and where its questions are shown. */
export interface OwnCall {
  readonly principal: OwnPrincipal;
  /** Named in the question. */
  readonly asker: Asker;
  readonly ask: Ask;
  /** Told what it changed in files; that may come after its end, when a review took long. */
  readonly onEdits?: ((edits: readonly MadeEdit[]) => void) | undefined;
}

/** Of calls that are over, so many are still told what they changed. */
const maxEnded = 100;

/** The calls that are under way: the server finds by the id who asks and where, since the protocol between them carries neither. */
export class OwnCalls {
  readonly #open = new Map<string, OwnCall>();
  readonly #ended = new Map<string, OwnCall>();

  begin(call: OwnCall): Disposable & { readonly id: string } {
    const id = randomUUID();
    this.#open.set(id, call);
    return { id, dispose: () => this.#end(id, call) };
  }

  /** `undefined` for a call that is over or never was. */
  find(id: string | undefined): OwnCall | undefined {
    return id === undefined ? undefined : this.#open.get(id);
  }

  tellEdits(id: string | undefined, edits: readonly MadeEdit[]): void {
    const call = this.find(id) ?? this.#ended.get(id ?? '');
    call?.onEdits?.(edits);
  }

  #end(id: string, call: OwnCall): void {
    this.#open.delete(id);
    if (call.onEdits !== undefined) {
      this.#ended.set(id, call);
      for (const oldest of [...this.#ended.keys()].slice(0, -maxEnded)) {
        this.#ended.delete(oldest);
      }
    }
  }
}
