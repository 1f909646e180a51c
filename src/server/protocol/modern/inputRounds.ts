import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { InputRequired } from '../../offer/catalog/catalog.ts';
import { missingCapabilities } from '../requests/clientCapabilities.ts';
import type { InFlight } from '../requests/inFlight.ts';
import { missingCapability, RpcError, rpcCode } from '../rpc/rpc.ts';
import type { RequestStates, StateBinding } from './requestStates.ts';

/** Methods a client can be asked back on. */
const asksBack: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Takes what the client brings with it from an earlier round. */
export function takeAnswers(request: InFlight, params: JsonObject, states: RequestStates): void {
  const { inputResponses, requestState } = params;
  if (!asksBack.has(request.method)) {
    return;
  }
  if (inputResponses !== undefined) {
    if (!isJsonObject(inputResponses) || !Object.values(inputResponses).every(isJsonObject)) {
      const data = { parameter: 'inputResponses', reason: 'expected an object of objects' };
      throw new RpcError(rpcCode.invalidParams, 'Invalid inputResponses', data);
    }
    request.inputResponses = inputResponses as Readonly<Record<string, JsonObject>>;
  }
  if (requestState !== undefined) {
    request.requestState = states.open(requestState, bindingOf(request, params));
  }
}

/** The answer that asks for more, as JSON text; asks nothing of a client that did not declare that it can answer. */
export function inputRequiredText(
  { requests, state }: InputRequired,
  request: InFlight,
  params: JsonObject,
  states: RequestStates,
): string {
  const missing = missingCapabilities(requests, request.clientCapabilities);
  if (missing !== undefined) {
    throw missingCapability(missing);
  }
  const requestState = state === undefined ? undefined : states.seal(state, bindingOf(request, params));
  return JSON.stringify({ resultType: 'input_required', inputRequests: requests, requestState });
}

function bindingOf({ method, viewer }: InFlight, params: JsonObject): StateBinding {
  return { credentialId: viewer.credential.id, method, params };
}
