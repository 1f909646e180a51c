import type { AppError } from '../../base/errors.ts';
import { hostError } from '../shared/hostErrors.ts';

/** As on the pipes of a local server. */
export const maxMessageBytes = 16 * 1024 * 1024;
const maxMessageDepth = 256;

/** Looks at what a server sends before it is kept or parsed. Throws an AppError for what no honest server sends. */
export interface MessageGuard {
  /** What may be passed on now; nothing while a message is incomplete. */
  accept(bytes: Uint8Array): Uint8Array | undefined;
}

/** For a body that is one message. */
export class BodyGuard implements MessageGuard {
  readonly #limit: number;
  readonly #depth = new DepthScanner();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  accept(bytes: Uint8Array): Uint8Array {
    this.#size += bytes.byteLength;
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    // Brackets and quotes are single bytes in UTF-8, and no other character contains them.
    this.#depth.scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
    return bytes;
  }
}

/**
 * For an event stream: passes whole events on. Comments, which only keep the connection alive, end here; an event that
 * holds several messages in an array, as revisions before 2025-06-18 may send, becomes several events.
 */
export class EventGuard implements MessageGuard {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #line: string[] = [];
  #event: string[] = [];
  #size = 0;
  #endedWithReturn = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  accept(bytes: Uint8Array): Uint8Array | undefined {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (this.#endedWithReturn && text.startsWith('\n')) {
      text = text.slice(1);
    }
    this.#endedWithReturn = text === '' ? this.#endedWithReturn : text.endsWith('\r');
    const [rest = '', ...lines] = text.split(/\r\n|\n|\r/).reverse();
    let passed = '';
    for (const line of lines.reverse()) {
      passed += this.#endLine(line);
    }
    this.#grow(rest);
    return passed === '' ? undefined : Buffer.from(passed);
  }

  #grow(part: string): void {
    this.#size += part.length;
    if (this.#size > this.#limit) {
      throw tooLarge(this.#limit);
    }
    if (part !== '') {
      this.#line.push(part);
    }
  }

  #endLine(end: string): string {
    this.#grow(end);
    const line = this.#line.join('');
    this.#line = [];
    if (line === '') {
      return this.#endEvent();
    }
    if (line.startsWith(':')) {
      this.#size -= line.length;
    } else {
      this.#size += 1;
      this.#event.push(line);
    }
    return '';
  }

  #endEvent(): string {
    const event = this.#event;
    this.#event = [];
    this.#size = 0;
    if (event.length === 0) {
      return '';
    }
    const data = event.filter((line) => /^data(:|$)/.test(line)).map((line) => line.replace(/^data: ?|^data$/, ''));
    const text = data.join('\n');
    new DepthScanner().scan(text);
    const messages = text.startsWith('[') ? membersOf(text) : undefined;
    if (messages === undefined) {
      return `${event.join('\n')}\n\n`;
    }
    const others = event.filter((line) => !/^data(:|$)/.test(line));
    const kind = others.filter((line) => line.startsWith('event'));
    return messages
      .map((message, index) => {
        // The id stands for the whole event: it has arrived when its last message has.
        const fields = index === messages.length - 1 ? others : kind;
        return [...fields, `data: ${JSON.stringify(message)}`, '', ''].join('\n');
      })
      .join('');
  }
}

/** Text that nests deeper than this keeps parsers and walkers busy or breaks them; it is found without parsing. */
export class DepthScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  scan(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charCodeAt(index);
      if (this.#isInString) {
        this.#inString(character);
      } else if (character === 0x22) {
        this.#isInString = true;
      } else if (character === 0x5b || character === 0x7b) {
        this.#depth += 1;
        if (this.#depth > maxMessageDepth) {
          throw hostError('host.messageTooDeep');
        }
      } else if (character === 0x5d || character === 0x7d) {
        this.#depth -= 1;
      }
    }
  }

  #inString(character: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (character === 0x5c) {
      this.#isEscaped = true;
    } else if (character === 0x22) {
      this.#isInString = false;
    }
  }
}

function membersOf(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function tooLarge(limit: number): AppError {
  return hostError('host.messageTooLarge', { megabytes: Math.round(limit / 1024 / 1024) });
}
