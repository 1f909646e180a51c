import type { JsonObject } from '../base/json.ts';
import { answeredId, cancelledId, notificationText, toRequest, type RequestId } from './messages.ts';

/**
 * Requests of the window to the host. A new window counts its ids from the start again while the host may still work on
 * one of the old window's, so an id that is still taken travels under another name.
 */
export class WindowRequests {
  /** The ids of open requests, from those that the host knows to those of the window. */
  readonly #open = new Map<RequestId, RequestId>();
  readonly #stale = new Set<RequestId>();
  #renamed = 0;

  /** The text for the host, which is the given one unless an id had to change. */
  fromWindow(message: JsonObject, text: string): string {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      const known = this.#hostId(cancelled);
      this.#open.delete(known);
      return known === cancelled
        ? text
        : notificationText('notifications/cancelled', { ...(message.params as JsonObject), requestId: known });
    }
    const request = toRequest(message);
    if (request === undefined) {
      return text;
    }
    const isTaken = this.#stale.has(request.id) || this.#open.has(request.id);
    const hostId = isTaken ? `duplex-bridge-${(this.#renamed += 1)}` : request.id;
    this.#open.set(hostId, request.id);
    return isTaken ? JSON.stringify({ ...message, id: hostId }) : text;
  }

  /** The text for the window; `undefined` for an answer to a window that is gone. */
  fromHost(message: JsonObject, text: string): string | undefined {
    const id = answeredId(message);
    if (id === undefined) {
      return text;
    }
    if (this.#stale.delete(id)) {
      return undefined;
    }
    const windowId = this.#open.get(id);
    this.#open.delete(id);
    return windowId === undefined || windowId === id ? text : JSON.stringify({ ...message, id: windowId });
  }

  /** Called when the window is gone; returns the notifications that tell the host that nobody waits for its answers. */
  abandon(): readonly string[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    for (const id of ids) {
      this.#stale.add(id);
    }
    return ids.map((requestId) => notificationText('notifications/cancelled', { requestId, reason: 'the VS Code window is gone' }));
  }

  #hostId(windowId: RequestId): RequestId {
    for (const [hostId, id] of this.#open) {
      if (id === windowId) {
        return hostId;
      }
    }
    return windowId;
  }
}
