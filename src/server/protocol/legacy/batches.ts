import { hasMoreItems } from '../../../base/jsonText.ts';
import { maxBatchItems } from '../../../contract/protocolNames.ts';
import {
  answerExpected,
  classify,
  duplicateId,
  type Inbound,
  invalidRequest,
  nothingExpected,
  type Receipt,
  type ReplySink,
  type RpcId,
} from '../rpc/rpc.ts';
import { allowsBatches, type LegacyRevision } from '../requests/revisions.ts';

export const tooLongBatch = 'too many messages in a batch';

/** Whether a text is a batch that is too long; it is checked before the text is parsed. */
export function isTooLongBatch(text: string): boolean {
  return hasMoreItems(text, maxBatchItems);
}

/** Receives one message; `raw` is the value that it was read from. */
export type ReceiveOne = (message: Inbound, sink: ReplySink, raw: unknown) => Receipt;

/** Receives an array of messages, if the revision allows it; the answers are sent as one array. */
export function receiveBatch(
  items: readonly unknown[],
  revision: LegacyRevision | undefined,
  sink: ReplySink,
  receiveOne: ReceiveOne,
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
  const ids = new Set<RpcId>();
  for (const [index, message] of messages.entries()) {
    const receipt = isRepeated(message, ids) ? duplicateId(message.id) : receiveOne(message, answers, items[index]);
    if (receipt.kind === 'invalid') {
      answers.respond(receipt.text);
    }
  }
  return expected > 0 ? answerExpected : nothingExpected;
}

/**
 * Whether an id occurs twice in a batch. The answers are sent together, so the first request counts as unanswered even if its
 * answer is ready.
 */
function isRepeated(message: Inbound, ids: Set<RpcId>): message is Extract<Inbound, { kind: 'request' }> {
  if (message.kind !== 'request') {
    return false;
  }
  const isKnown = ids.has(message.id);
  ids.add(message.id);
  return isKnown;
}

/** Gathers the answers to a batch and sends them as one array. */
class BatchSink implements ReplySink {
  readonly #target: ReplySink;
  readonly #answers: string[] = [];
  #open: number;

  constructor(target: ReplySink, expected: number) {
    this.#target = target;
    this.#open = expected;
  }

  respond(text: string): void {
    this.#answers.push(text);
    this.#countDown();
  }

  notify(text: string): void {
    this.#target.notify(text);
  }

  abandon(): void {
    this.#countDown();
  }

  #countDown(): void {
    this.#open -= 1;
    if (this.#open > 0) {
      return;
    }
    if (this.#answers.length > 0) {
      this.#target.respond(`[${this.#answers.join(',')}]`);
    } else {
      this.#target.abandon();
    }
  }
}
