import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Place {
  readonly socket: Socket;
  /** The credential it last came with; none: it has shown none yet. */
  owner: string | undefined;
  /** To its last request: the answers to those before go out first. */
  answer: ServerResponse | undefined;
}

/** Of those who have shown no credential, whoever they are: any program of any user of the machine can open them. */
export const maxStrangers = 256;

/**
 * Who holds a connection. Nobody is turned away at the port: beyond the limits the oldest connection of those that showed no
 * credential is closed, or an idle one of the credential that has most.
 */
export class ConnectionPlaces {
  readonly #max: number;
  /** By the other end's address: with TLS, requests come on another object than the connection did. Oldest first. */
  readonly #strangers = new Map<string, Place>();
  readonly #known = new Map<string, Place>();
  /** By what requests come on: only the first one is looked for by its address. */
  readonly #found = new WeakMap<Socket, Place>();

  constructor(max: number) {
    this.#max = max;
  }

  take(socket: Socket): void {
    const key = keyOf(socket);
    if (this.#strangers.has(key) || this.#known.has(key)) {
      return; // come again: it offered another protocol, see upgrade.ts
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

  /** A request on it has shown a credential, and is under way until its answer is out. */
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
