import type { AppError } from '../../base/errors.ts';
import { hostError } from '../shared/hostErrors.ts';

/** As on the pipes of a local server. */
export const maxMessageBytes = 16 * 1024 * 1024;
const maxMessageDepth = 256;

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

export function tooLarge(limit: number): AppError {
  return hostError('host.messageTooLarge', { megabytes: Math.round(limit / 1024 / 1024) });
}

/** Several messages in one array: a duty to receive in the two oldest revisions, gone from 2025-06-18 on. */
export function mayBatch(revision: string | undefined): boolean {
  return revision === undefined || revision < '2025-06-18';
}

export const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not part of this protocol revision.' },
} as const;
