import type { Disposable } from '../../../base/lifecycle.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import { EventLog, ResumableStream } from './resumableStream.ts';

/** How many streams of finished and running POSTs can be come back to. */
const maxPostStreams = 64;

/** A session of `/mcp` with its streams: the standing one that a GET opens, and those that answer POSTs. */
export class HttpSession implements Disposable {
  readonly #log = new EventLog();
  readonly #postStreams = new Map<string, ResumableStream>();
  readonly standing = new ResumableStream('s', this.#log);
  #session: Session | undefined;
  #count = 0;

  /** The session is born after its streams: it may speak at once. */
  adopt(session: Session): void {
    this.#session = session;
  }

  get session(): Session {
    if (this.#session === undefined) {
      throw new Error('used before adopt()');
    }
    return this.#session;
  }

  openPostStream(): ResumableStream {
    this.#count += 1;
    const stream = new ResumableStream(`p${this.#count}`, this.#log);
    this.#postStreams.set(stream.name, stream);
    const [oldest] = this.#postStreams.keys();
    if (this.#postStreams.size > maxPostStreams && oldest !== undefined) {
      this.#postStreams.delete(oldest);
    }
    return stream;
  }

  findStream(name: string): ResumableStream | undefined {
    return name === this.standing.name ? this.standing : this.#postStreams.get(name);
  }

  dispose(): void {
    this.standing.finish();
    for (const stream of this.#postStreams.values()) {
      stream.finish();
    }
  }
}
