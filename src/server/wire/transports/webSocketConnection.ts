import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { handling, type SpreadWork } from '../../access/spreadWork.ts';
import type { ReplySink } from '../../protocol/rpc/rpc.ts';
import { type HeldConnection, maxUnreadBytes } from './streamHub.ts';

/** The close codes of RFC 6455 that we send. The library itself sends those for too large (1009) and bad UTF-8 (1007). */
export const closeCode = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;

/**
 * After this many unanswered pings in a row a connection is closed. Pings are counted and not timed, because after a sleep all
 * clients would look dead.
 */
const maxUnansweredPings = 8;

/** The most pings and pongs of a client between two of our own pings: each costs as much as a message, and needs no approval. */
const maxControlFrames = 500;

/** The most bytes of answers that are held back in order to be written together. */
const maxGatheredBytes = 64 * 1024;

type Corkable = Pick<Duplex, 'cork' | 'uncork'>;

/** One open WebSocket; every text is one message. */
export class WebSocketConnection implements HeldConnection, ReplySink {
  readonly #socket: WebSocket;
  #unansweredPings = 0;
  #controlFrames = 0;
  #isPinging = false;
  /** The stream below the WebSocket. */
  readonly #stream: Corkable;
  #isGathering = false;
  readonly #work: SpreadWork;
  /** How many messages arrived and wait for their turn. */
  #waiting = 0;
  /** Whether we began to close the socket: what waits then is not handled any more. */
  #hasClosed = false;

  constructor(socket: WebSocket, stream: Corkable, work = handling) {
    this.#socket = socket;
    this.#stream = stream;
    this.#work = work;
    socket.on('ping', this.#hearControl).on('pong', this.#hearControl);
    socket.on('error', () => {
      // The event 'close' follows.
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
      this.#letGo(); // what is held back here would count as unread
    }
    if (this.#socket.bufferedAmount > maxUnreadBytes) {
      this.#cutOff();
    }
  }

  respond(text: string): void {
    this.send(text);
  }

  notify(text: string): void {
    this.send(text);
  }

  abandon(): void {
    // On a WebSocket nothing waits for an answer.
  }

  keepAlive(): void {
    this.#controlFrames = 0;
    if (this.#unansweredPings >= maxUnansweredPings) {
      this.#cutOff();
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

  /** Closes the socket with the closing handshake, for which the library waits a moment. */
  close(code: number, reason: string): void {
    this.#hasClosed = true;
    if (this.isOpen) {
      this.#socket.close(code, reason);
    }
  }

  #cutOff(): void {
    this.#hasClosed = true;
    this.#socket.terminate();
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /**
   * Calls `listener` with every message, in their order, each in a turn that has time for it. While one waits nothing more is read from the
   * socket, so that no more wait than came with it.
   */
  onText(listener: (text: string) => void): void {
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.#hear();
      if (!this.isOpen) {
        return; // the message was sent before we began to close
      }
      this.#pass(() => {
        if (isBinary) {
          this.close(closeCode.unsupportedData, 'messages are text');
        } else {
          this.#gather();
          listener(data.toString());
        }
      });
    });
  }

  /** What was said before the socket closed is still handled, unless we were the ones to close it. */
  #pass(handle: () => void): void {
    this.#waiting += 1;
    const isDone = this.#work.run(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0 && this.#socket.isPaused) {
        this.#socket.resume();
      }
      if (!this.#hasClosed) {
        handle();
      }
    });
    if (!isDone && !this.#socket.isPaused) {
      this.#socket.pause();
    }
  }

  readonly #hear = (): void => {
    this.#unansweredPings = 0;
  };

  readonly #hearControl = (): void => {
    this.#hear();
    this.#controlFrames += 1;
    if (this.#controlFrames > maxControlFrames) {
      this.#cutOff();
    }
  };

  /** Gathers the answers to messages that arrived together and writes them at once: writing is the most expensive part of an answer. */
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
