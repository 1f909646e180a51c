import type { AppError } from '../../base/errors.ts';
import { hostError } from '../shared/hostErrors.ts';

/** The same limit holds for a line on the pipes of a local server. */
export const maxMessageBytes = 16 * 1024 * 1024;
const maxMessageDepth = 256;

/**
 * Throws for text that nests too deeply, without parsing it: such text keeps parsers busy, and code that walks the value may
 * overflow the stack.
 */
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

export function tooLarge(limit: number): AppError {
  return hostError('host.messageTooLarge', { megabytes: Math.round(limit / 1024 / 1024) });
}

/**
 * Whether several messages may come in one array. The two oldest revisions require clients to accept that; it is gone from
 * 2025-06-18 on.
 */
export function mayBatch(revision: string | undefined): boolean {
  return revision === undefined || revision < '2025-06-18';
}

export const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not part of this protocol revision.' },
} as const;
