import { isJsonObject } from '../../../base/json.ts';
import { mustPass } from './fairUse.ts';
import type { ReplySink } from '../../protocol/rpc/replySink.ts';
import { rpcErrorText, tooManyRequests } from '../../protocol/rpc/rpc.ts';

/** For messages past the rate limit: requests are told, notifications dropped; what must never be dropped is returned. */
export function refuseLimited(body: unknown, sink: ReplySink): readonly unknown[] {
  const messages = Array.isArray(body) ? (body as readonly unknown[]) : [body];
  return messages.filter((message) => {
    if (mustPass(message)) {
      return true;
    }
    if (isJsonObject(message) && (typeof message.id === 'string' || typeof message.id === 'number')) {
      sink.respond(rpcErrorText(message.id, tooManyRequests()));
    }
    return false;
  });
}
