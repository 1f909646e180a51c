import { hasCode, isAppError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { isRpcError, RpcError, rpcCode } from './rpc.ts';

/** What a client is told of a failure: a sentence that was written for it, or nothing. */
export function toRpcError(error: unknown, method: string, log: Log): RpcError {
  if (isRpcError(error)) {
    return error;
  }
  if (isAppError(error)) {
    if (hasCode(error, 'server.invalidCursor')) {
      return new RpcError(rpcCode.invalidParams, error.message, error.args);
    }
    return new RpcError(rpcCode.internalError, error.message);
  }
  log.error(`${method} failed.`, error);
  return new RpcError(rpcCode.internalError, 'Internal error');
}
