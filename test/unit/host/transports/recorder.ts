import { hasCode, type AppError } from '../../../../src/base/errors.ts';
import type { JSONRPCMessage, Transport } from '../../../../src/host/shared/sdk.ts';

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const satisfies JSONRPCMessage;
export const pong = { jsonrpc: '2.0', id: 1, result: {} } as const satisfies JSONRPCMessage;

/** What a transport told its user, in order; messages as JSON. */
export function record(transport: Transport): string[] {
  const told: string[] = [];
  transport.onmessage = (message: JSONRPCMessage) => told.push(JSON.stringify(message));
  transport.onerror = (error) => told.push(`error ${error.message}`);
  transport.onclose = () => told.push('closed');
  return told;
}

/** For `assert.rejects`. */
export function withCode(code: string): (error: unknown) => boolean {
  return (error) => hasCode(error, code);
}

/** Of a transport that may have been left by its server. */
export function endOf({ end }: { readonly end: AppError | undefined }): string | undefined {
  return end?.code;
}
