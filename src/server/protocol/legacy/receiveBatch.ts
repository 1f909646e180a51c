import { hasMoreItems } from '../../../base/jsonDepth.ts';
import { answerExpected, invalidRequest, nothingExpected, type Receipt } from '../rpc/receipts.ts';
import { BatchSink, type ReplySink } from '../rpc/replySink.ts';
import { allowsBatches, type LegacyRevision } from '../requests/revisions.ts';
import { classify, type Inbound } from '../rpc/rpc.ts';

const maxBatchItems = 100;
export const tooLongBatch = 'too many messages in a batch';

/** Seen before a text is parsed. */
export function isTooLongBatch(text: string): boolean {
  return hasMoreItems(text, maxBatchItems);
}

/** Takes an array of messages where the revision has such; the answers to it are one array. */
export function receiveBatch(
  items: readonly unknown[],
  revision: LegacyRevision | undefined,
  sink: ReplySink,
  receiveOne: (message: Inbound, sink: ReplySink) => Receipt,
): Receipt {
  if (items.length === 0 || items.length > maxBatchItems) {
    return invalidRequest(null, items.length === 0 ? 'a batch is not empty' : tooLongBatch);
  }
  if (revision === undefined || !allowsBatches(revision)) {
    return invalidRequest(null, 'batches are not part of this protocol revision');
  }
  const messages = items.map(classify);
  if (messages.some((message) => message.kind === 'request' && message.method === 'initialize')) {
    return invalidRequest(null, 'initialize is never part of a batch');
  }
  const expected = messages.filter((message) => message.kind === 'request' || message.kind === 'invalid').length;
  const answers = new BatchSink(sink, expected);
  for (const message of messages) {
    const receipt = receiveOne(message, answers);
    if (receipt.kind === 'invalid') {
      answers.respond(receipt.text);
    }
  }
  return expected > 0 ? answerExpected : nothingExpected;
}
