import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The answers that wait behind an earlier one of the same connection. When the connection closes, Node tells it to the answer that is being
 * sent alone; here the others hear of it as well, because everybody learns by `close` that a client has gone.
 */
export class WaitingAnswers {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Call it for each request, before anything else is done with its answer. */
  watch(socket: Socket, response: ServerResponse): void {
    if (response.socket !== null) {
      return; // it is the first of its connection
    }
    const waiting = this.#of(socket).add(response);
    response.once('close', () => waiting.delete(response));
  }

  #of(socket: Socket): Set<ServerResponse> {
    const known = this.#waiting.get(socket);
    if (known !== undefined) {
      return known;
    }
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    socket.once('close', () => {
      for (const response of [...waiting].filter((each) => each.socket === null)) {
        response.destroy();
        response.emit('close');
      }
    });
    return waiting;
  }
}
