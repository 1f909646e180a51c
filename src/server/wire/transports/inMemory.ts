import type { JsonObject } from '../../../base/json.ts';
import type { MessageTransport } from '../../../base/transport.ts';
import { serverError } from '../../errors/serverErrors.ts';
import type { ReplySink } from '../../protocol/rpc/rpc.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';

/**
 * The client's end of an in-memory link to this server. Messages cross as text, so that neither side can change the other's
 * objects, and they never arrive within the sender's call.
 */
export class InMemoryClientEnd implements MessageTransport {
  readonly #directory: SessionDirectory;
  #session: Session | undefined;
  #isClosed = false;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonObject) => void) | undefined;

  constructor(directory: SessionDirectory) {
    this.#directory = directory;
  }

  async start(): Promise<void> {
    if (this.#isClosed || this.#session !== undefined) {
      throw serverError('server.link.used');
    }
    this.#session = this.#directory.openForChat({
      outlet: (text) => this.#receive(text),
      isConnected: () => !this.#isClosed,
      onClose: () => this.#onClosed(),
    });
  }

  async send(message: JsonObject): Promise<void> {
    if (this.#session === undefined || this.#isClosed) {
      throw serverError('server.link.closed');
    }
    const receive = (text: string): void => this.#receive(text);
    const sink: ReplySink = { respond: receive, notify: receive, abandon: () => undefined };
    const receipt = this.#session.receive(JSON.parse(JSON.stringify(message)), sink);
    if (receipt.kind === 'invalid') {
      sink.respond(receipt.text);
    }
  }

  async close(): Promise<void> {
    this.#session?.dispose();
    this.#onClosed();
  }

  #receive(text: string): void {
    queueMicrotask(() => {
      if (!this.#isClosed) {
        this.onmessage?.(JSON.parse(text) as JsonObject);
      }
    });
  }

  #onClosed(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
  }
}
