import { rpcCode, rpcErrorText, type RequestId } from './rpc.ts';

/** What became of a delivery. `invalid` carries the JSON-RPC error; over HTTP that is a 400. */
export type Receipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly text: string };

export const nothingExpected: Receipt = { kind: 'accepted', expectsAnswer: false };
export const answerExpected: Receipt = { kind: 'accepted', expectsAnswer: true };

export function invalidRequest(id: RequestId | null, reason: string): Extract<Receipt, { kind: 'invalid' }> {
  return { kind: 'invalid', id, text: rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }) };
}
