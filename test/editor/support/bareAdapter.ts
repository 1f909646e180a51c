import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Message {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
  readonly request_seq?: number;
  readonly body?: Record<string, unknown>;
}

export interface Cost {
  readonly calls: number;
  readonly characters: number;
  readonly milliseconds: number;
}

/** A debug adapter without an editor, asked by hand: what a client of the bare protocol has to say and read. */
export class BareAdapter {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #beganAt = performance.now();
  readonly #messages: Message[] = [];
  #pending = Buffer.alloc(0);
  #calls = 0;
  #characters = 0;
  #heard: () => void = () => undefined;

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { stdio: 'pipe' });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  get cost(): Cost {
    return { calls: this.#calls, characters: this.#characters, milliseconds: Math.round(performance.now() - this.#beganAt) };
  }

  send(command: string, args: object = {}): () => Promise<Record<string, unknown>> {
    this.#calls += 1;
    const seq = this.#calls;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return async () => (await this.#find((each) => each.type === 'response' && each.request_seq === seq)).body ?? {};
  }

  ask(command: string, args: object = {}): Promise<Record<string, unknown>> {
    return this.send(command, args)();
  }

  async event(name: string): Promise<Record<string, unknown>> {
    return (await this.#find((each) => each.event === name)).body ?? {};
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }

  async #find(isWanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#messages.find(isWanted);
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  #receive(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const end = this.#pending.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#pending.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || this.#pending.length < end + 4 + length) {
        break;
      }
      const text = this.#pending.subarray(end + 4, end + 4 + length).toString();
      this.#pending = this.#pending.subarray(end + 4 + length);
      this.#characters += text.length;
      this.#messages.push(JSON.parse(text) as Message);
    }
    this.#heard();
  }
}
