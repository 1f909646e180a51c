import { rpcCode, rpcErrorText, type RequestId } from './rpc.ts';

/** What became of a delivery. `invalid` carries the JSON-RPC error; over HTTP that is a 400. */
export type Receipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly text: string };

export const nothingExpected: Receipt = { kind: 'accepted', expectsAnswer: false };
export const answerExpected: Receipt = { kind: 'accepted', expectsAnswer: true };

/** The answer to the first one is still to come. */
export function duplicateId(id: RequestId): Extract<Receipt, { kind: 'invalid' }> {
  return invalidRequest(id, 'a request with this id is still unanswered');
}

export function invalidRequest(id: RequestId | null, reason: string): Extract<Receipt, { kind: 'invalid' }> {
  return { kind: 'invalid', id, text: rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }) };
}
