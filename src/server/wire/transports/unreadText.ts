import { hasMoreValues, isTooDeep } from '../../../base/jsonDepth.ts';
import { isTooLongBatch, tooLongBatch } from '../../protocol/legacy/receiveBatch.ts';

/** To parse more and to look at them would hold others up; a long text is one value. */
const maxValues = 50_000;
const tooManyValues = 'more than 50,000 values in a message; send it in parts';

/** Why a message is not even parsed, if it is not. */
export function whyUnread(text: string): string | undefined {
  if (isTooLongBatch(text)) {
    return tooLongBatch;
  }
  return hasMoreValues(text, maxValues) ? tooManyValues : isTooDeep(text) ? 'nested too deeply' : undefined;
}
