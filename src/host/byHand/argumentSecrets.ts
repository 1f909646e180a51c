import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isSecretField } from '../../traffic/secretFields.ts';
import { isPlainSecret } from '../../definitions/plainSecrets.ts';

export interface SecretLooks {
  /** Whether a text has something in it that is a secret by its shape. */
  readonly hasSecret: (text: string) => boolean;
  /** Secrets of the server's own definition. */
  readonly known: readonly string[];
}

/** Shorter ones are in many texts that are none. */
const minKnownLength = 4;

/** Pure. Whether arguments hold what must not be kept in a file: by its shape, by the name it has, or because it is known to be one. */
export function holdSecret(args: JsonObject, { hasSecret, known }: SecretLooks): boolean {
  const secrets = known.filter(({ length }) => length >= minKnownLength);
  const waiting: (readonly [string, JsonValue])[] = [['', args]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (isSecretField(name) && isSomething(value)) {
      return true;
    }
    if (typeof value === 'string') {
      if (isPlainSecret(name, value) || hasSecret(value) || secrets.some((secret) => value.includes(secret))) {
        return true;
      }
    } else if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach((item) => waiting.push([name, item]));
    } else if (isJsonObject(value)) {
      Object.entries(value).forEach(([key, member]) => waiting.push([key, member ?? null]));
    }
  }
  return hasSecret(JSON.stringify(args));
}

/** Under the name of a secret everything is one, whatever its type; whether there is one is none. */
function isSomething(value: JsonValue): boolean {
  return typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : typeof value !== 'boolean' && value !== '';
}
