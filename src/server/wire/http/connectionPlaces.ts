import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Place {
  readonly socket: Socket;
  /** The credential of its last request; `undefined` if it has shown none yet. */
  owner: string | undefined;
  /** The answer to its last request; answers to earlier requests are sent before it. */
  answer: ServerResponse | undefined;
}

/** The most connections without a credential, of all programs together: any program of any user of the machine can open them. */
export const maxStrangers = 256;

/**
 * Limits the open connections. No new connection is refused: beyond the limits, the oldest connection without a credential is
 * closed, or an idle one of the credential that has the most.
 */
export class ConnectionPlaces {
  readonly #max: number;
  /**
   * Connections without a credential by remote address, oldest first. With TLS, requests have another socket object than the
   * connection, so the object cannot be the key.
   */
  readonly #strangers = new Map<string, Place>();
  readonly #known = new Map<string, Place>();
  /** Places by the socket of their requests: only the first request looks for the place by address. */
  readonly #found = new WeakMap<Socket, Place>();

  constructor(max: number) {
    this.#max = max;
  }

  take(socket: Socket): void {
    const key = keyOf(socket);
    if (this.#strangers.has(key) || this.#known.has(key)) {
      return; // the same connection comes again after it offered another protocol, see upgrade.ts
    }
    this.#strangers.set(key, { socket, owner: undefined, answer: undefined });
    socket.once('close', () => {
      this.#strangers.delete(key);
      this.#known.delete(key);
    });
    if (this.#strangers.size > maxStrangers) {
      this.#close([...this.#strangers][0]);
    }
    if (this.#strangers.size + this.#known.size > this.#max) {
      this.#close(this.#leastMissed());
    }
  }

  /** Notes the credential that a request has shown; the connection is busy until the answer is sent. */
  know(socket: Socket, credentialId: string, response: ServerResponse): void {
    const place = this.#found.get(socket) ?? this.#find(socket);
    if (place !== undefined) {
      place.owner = credentialId;
      place.answer = response;
    }
  }

  #find(socket: Socket): Place | undefined {
    const key = keyOf(socket);
    const place = this.#known.get(key) ?? this.#strangers.get(key);
    if (place !== undefined) {
      this.#strangers.delete(key);
      this.#known.set(key, place);
      this.#found.set(socket, place);
    }
    return place;
  }

  #leastMissed(): [string, Place] | undefined {
    const groups = new Map<string, [string, Place][]>();
    for (const entry of this.#known) {
      const owner = entry[1].owner ?? '';
      groups.set(owner, groups.get(owner) ?? []);
      groups.get(owner)?.push(entry);
    }
    const most = [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    return most.find(([, { answer }]) => answer?.closed !== false) ?? most[0];
  }

  #close(entry: [string, Place] | undefined): void {
    if (entry !== undefined) {
      this.#strangers.delete(entry[0]);
      this.#known.delete(entry[0]);
      entry[1].socket.destroy();
    }
  }
}

function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
