import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { InputRequired } from '../../offer/catalog/catalog.ts';
import { missingCapabilities } from '../requests/clientCapabilities.ts';
import type { InFlight } from '../requests/inFlight.ts';
import { missingCapability, rpcCode, RpcError } from '../rpc/rpc.ts';

/** The methods in which a client can be asked for input. */
const asksBack: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Reads the answers and the state that the client brings from an earlier round. */
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

/** The answer that asks for input, as JSON text. Throws if the client did not declare that it can answer. */
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

/** The call for which a state was issued; it is invalid in any other. */
interface StateBinding {
  readonly credentialId: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** How long the state of a call stays valid. */
const lifeMs = 15 * 60_000;

/**
 * Signs the state of a call, which travels through the client to the next round. The key lives as long as this object, and the
 * signature is bound to the client and the call.
 */
export class RequestStates {
  readonly #key = randomBytes(32);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  seal(state: JsonValue, binding: StateBinding): string {
    const payload = Buffer.from(JSON.stringify({ state, until: this.#clock.now() + lifeMs })).toString('base64url');
    return `${payload}.${this.#sign(payload, binding).toString('base64url')}`;
  }

  /** Verifies a state. If it was changed, is too old, or belongs to another client or call, it throws the same error. */
  open(sealed: JsonValue, binding: StateBinding): JsonValue {
    const [payload = '', signature = ''] = typeof sealed === 'string' ? sealed.split('.') : [];
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(payload, binding);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalidState();
    }
    const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (!isJsonObject(content) || typeof content.until !== 'number' || content.until < this.#clock.now()) {
      throw invalidState();
    }
    return content.state ?? null;
  }

  #sign(payload: string, { credentialId, method, params }: StateBinding): Buffer {
    const { name, uri } = params;
    const call = createHash('sha256')
      .update(canonicalJson({ name, uri, arguments: params.arguments }))
      .digest('hex');
    return createHmac('sha256', this.#key).update([credentialId, method, call, payload].join('\n')).digest();
  }
}

function invalidState(): RpcError {
  return new RpcError(rpcCode.invalidParams, 'Invalid requestState', { parameter: 'requestState', reason: 'not a state of this call' });
}
