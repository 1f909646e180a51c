import type { RawData } from 'ws';
import { isJsonObject } from '../../base/json.ts';
import { parseMessage } from '../../traffic/largeMessages.ts';
import type { JSONRPCMessage } from '../shared/sdk.ts';
import { mayBatch } from './batches.ts';
import { DepthScanner } from './messageGuard.ts';

/**
 * The messages of a text frame; `undefined` for several at once where the revision has no batches. Throws an AppError for
 * what no honest server sends, and another error for what is no JSON.
 */
export function readFrame(data: RawData, revision: string | undefined): readonly JSONRPCMessage[] | undefined {
  const text = (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8');
  new DepthScanner().scan(text);
  const parsed: unknown = parseMessage(text);
  if (Array.isArray(parsed) && !mayBatch(revision)) {
    return undefined;
  }
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return messages.filter(isJsonObject).map((message) => message as unknown as JSONRPCMessage);
}
