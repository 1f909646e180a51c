import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ReplySink } from '../../protocol/rpc/rpc.ts';
import { type HeldConnection, maxUnreadBytes } from './streamHub.ts';

/** Close codes of RFC 6455 that we choose ourselves; too large (1009) and bad UTF-8 (1007) are the library's. */
export const closeCode = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;

/** Pings in a row; by time alone a machine that slept would find all its clients dead. */
const maxUnansweredPings = 8;

/** Of answers that wait for others to go out with. */
const maxGatheredBytes = 64 * 1024;

type Corkable = Pick<Duplex, 'cork' | 'uncork'>;

/** One open WebSocket: every text is a message of its own. */
export class WebSocketConnection implements HeldConnection, ReplySink {
  readonly #socket: WebSocket;
  #unansweredPings = 0;
  #isPinging = false;
  /** Below the socket. */
  readonly #stream: Corkable;
  #isGathering = false;

  constructor(socket: WebSocket, stream: Corkable) {
    this.#socket = socket;
    this.#stream = stream;
    socket.on('ping', this.#hear).on('pong', this.#hear);
    socket.on('error', () => {
      // 'close' follows and tells.
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(text: string): void {
    if (!this.isOpen) {
      return;
    }
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > maxGatheredBytes) {
      this.#letGo(); // what is held back here counts as unread
    }
    if (this.#socket.bufferedAmount > maxUnreadBytes) {
      this.#socket.terminate();
    }
  }

  respond(text: string): void {
    this.send(text);
  }

  notify(text: string): void {
    this.send(text);
  }

  abandon(): void {
    // Nothing waits for it.
  }

  keepAlive(): void {
    if (this.#unansweredPings >= maxUnansweredPings) {
      this.#socket.terminate();
    } else if (this.isOpen && !this.#isPinging) {
      this.#isPinging = true;
      this.#socket.ping(undefined, undefined, () => {
        this.#isPinging = false;
        this.#unansweredPings += 1;
      });
    }
  }

  end(): void {
    this.close(closeCode.goingAway, 'the server stops');
  }

  expire(): void {
    this.close(closeCode.policyViolation, 'the token expired');
  }

  giveWay(): void {
    this.close(closeCode.tryAgainLater, 'too many connections');
  }

  /** With the closing handshake, for which the library waits a moment. */
  close(code: number, reason: string): void {
    if (this.isOpen) {
      this.#socket.close(code, reason);
    }
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  onText(listener: (text: string) => void): void {
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#hear();
      if (!this.isOpen) {
        return; // what was already on its way to a connection that we are closing
      }
      if (isBinary) {
        this.close(closeCode.unsupportedData, 'messages are text');
      } else {
        this.#gather();
        listener(data.toString());
      }
    });
  }

  readonly #hear = (): void => {
    this.#unansweredPings = 0;
  };

  /** What is answered at once to messages that came together goes out together: writing is the dearest part of an answer. */
  #gather(): void {
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.#stream.cork();
      process.nextTick(this.#letGo);
    }
  }

  readonly #letGo = (): void => {
    if (this.#isGathering) {
      this.#isGathering = false;
      this.#stream.uncork();
    }
  };
}
