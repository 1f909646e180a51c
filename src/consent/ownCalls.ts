import { randomUUID } from 'node:crypto';
import type { Disposable } from '../base/lifecycle.ts';
import type { MadeEdit } from '../contract/chat/answerParts.ts';
import type { EditReview } from '../contract/chat/editReview.ts';
import type { Asker } from '../contract/questions/callKnowledge.ts';
import type { Ask } from './consentGate.ts';
import type { OwnPrincipal } from './consentModel.ts';

/** A call of the editor's own server by another part of Duplex, and where its questions are shown. */
export interface OwnCall {
  readonly principal: OwnPrincipal;
  /** Who asks, as the question names it. */
  readonly asker: Asker;
  readonly ask: Ask;
  /** Called with what the call changed in files, perhaps after its end, when a review took long. */
  readonly onEdits?: ((edits: readonly MadeEdit[]) => void) | undefined;
  /** Called with the change that the call proposed, while it waits for the person and whenever that changes; at last with nothing. */
  readonly onReview?: ((review: EditReview | undefined) => void) | undefined;
}

/** The most ended calls that are still told what they changed. */
const maxEnded = 100;

/**
 * The running calls of Duplex itself. By the id of a call the server finds who asks and where questions go, which the protocol between
 * them does not carry.
 */
export class OwnCalls {
  readonly #open = new Map<string, OwnCall>();
  readonly #ended = new Map<string, OwnCall>();

  begin(call: OwnCall): Disposable & { readonly id: string } {
    const id = randomUUID();
    this.#open.set(id, call);
    return { id, dispose: () => this.#end(id, call) };
  }

  /** Finds a running call; `undefined` when it is over or never was. */
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
