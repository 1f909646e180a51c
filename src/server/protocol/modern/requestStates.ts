import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Clock } from '../../../base/clock.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';

/** What a state was given out for; it is worth nothing elsewhere. */
export interface StateBinding {
  readonly credentialId: string;
  readonly method: string;
  readonly params: JsonObject;
}

const lifeMs = 15 * 60_000;

/**
 * What a call wants to find again in the next round travels through the client. It is signed with a key that lives as long
 * as this object, and bound to who asked for what.
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

  /** Rejects what was changed, is too old, or belongs to another client or call, all in the same words. */
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
