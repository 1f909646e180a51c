import type { JsonObject } from '../../../../src/base/json.ts';
import { InFlight, type RequestOrigin } from '../../../../src/server/protocol/requests/inFlight.ts';
import type { RpcId } from '../../../../src/server/protocol/rpc/rpc.ts';
import { fakeCall } from './fakeCall.ts';

/** A request whose end is written down: its answer with the status, or `abandoned`. */
export function recordedRequest(id: RpcId, method: string, ends: unknown[], params: JsonObject = {}): InFlight {
  return new InFlight(id, method, params, fakeCall() as unknown as RequestOrigin, {
    respond: (text, status) => ends.push(status === undefined ? text : [text, status]),
    notify: () => undefined,
    abandon: () => ends.push('abandoned'),
  });
}
