import { createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { differencesBetween } from '../../consent/fingerprint.ts';
import type { Difference } from '../../contract/questions/questions.ts';
import { isDangerousVariable } from '../../definitions/childEnvironment.ts';
import { hideHeader, hideInAddress, hideInArgument, hideVariable, type HiddenText } from '../../secrets/definitionSecrets.ts';
import { hiddenMark } from '../../secrets/secretMarks.ts';

/** The material of a start (what its permission is bound to) without the secrets in its definition. */
export interface MaskedMaterial {
  /**
   * Its field `secrets` holds a keyed hash for each hidden secret, by place: a changed secret is noticed, but nobody who
   * reads the permissions file can guess it.
   */
  readonly material: JsonObject;
  /** The masked texts that a person is shown, by field name. Inputs and the envFile have fields of their own. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** Masks the secrets in the material. `key` is known on this installation only. What is masked already stays as it is. */
export function maskMaterial(material: JsonObject, key: string): MaskedMaterial {
  const parts = placesOf(material);
  const found = [...parts].filter(([, { secrets }]) => secrets.length > 0);
  const textAt = (place: string, value: JsonValue | undefined): JsonValue | undefined => parts.get(place)?.text ?? value;
  const member = (name: 'env' | 'headers'): JsonObject =>
    withMembers(material, name, (value, inner) => textAt(`${name}.${inner}`, value) ?? null);
  const { args } = material;
  const known = isJsonObject(material['secrets']) ? material['secrets'] : {};
  const secrets = { ...known, ...Object.fromEntries(found.map(([place, hidden]) => [place, markOf(hidden, key)])) };
  return {
    material: {
      ...material,
      ...(Array.isArray(args) ? { args: args.map((value: JsonValue, index) => textAt(`args[${index}]`, value) ?? null) } : {}),
      ...member('env'),
      ...member('headers'),
      ...(typeof material['url'] === 'string' ? { url: textAt('url', material['url']) } : {}),
      ...withMembers(material, 'envFile', (value, inner) => textAt(`envFile.${inner}`, value)),
      ...withMembers(material, 'inputs', (value, id) =>
        isJsonObject(value) && parts.has(inputPlace(id)) ? { ...value, default: hiddenMark } : value,
      ),
      ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    },
    hidden: new Map(found.flatMap(([place, { text }]) => (/^(inputs|envFile)\./.test(place) ? [] : [[place, text]]))),
  };
}

/**
 * The differences to what was allowed before. Of a secret only the fact that it changed is shown. Secrets that an earlier
 * version stored in clear text are not shown either.
 */
export function startDifferences(previous: JsonObject, now: JsonObject, key: string): Difference[] {
  const { secrets: were, ...before } = maskMaterial(previous, key).material;
  const { secrets: are, ...after } = now;
  const old = isJsonObject(were) ? were : {};
  const changed = Object.entries(isJsonObject(are) ? are : {}).filter(([place, mark]) => place in old && old[place] !== mark);
  return [...differencesBetween(before, after), ...changed.map(([field]) => ({ field, isHidden: true }))];
}

/** Every text in which a secret can stand, with its secrets masked. */
function placesOf(material: JsonObject): ReadonlyMap<string, HiddenText> {
  const { command, url } = material;
  const args = Array.isArray(material['args']) ? material['args'].map((each: JsonValue) => textOf(each)) : [];
  const env = Object.fromEntries(membersOf(material, 'env').map(([name, value]) => [name, typeof value === 'string' ? value : null]));
  const launch = { command: textOf(command), args, env, changesCode: isDangerousVariable };
  return new Map([
    ...args.map((_, index) => [`args[${index}]`, hideInArgument(index, launch)] as const),
    ...Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[`env.${name}`, hideVariable(name, launch)] as const])),
    ...membersOf(material, 'headers').map(([name, value]) => [`headers.${name}`, hideHeader(name, textOf(value))] as const),
    ...(typeof url === 'string' ? [['url', hideInAddress(url)] as const] : []),
    ...membersOf(material, 'inputs').flatMap(([id, input]) =>
      isJsonObject(input) && input['type'] === 'password' ? hiddenWhole(inputPlace(id), input['default']) : [],
    ),
    // This is a hash, but of a file that may hold one short secret.
    ...membersOf(material, 'envFile').flatMap(([name, value]) => (name === 'content' ? hiddenWhole('envFile.content', value) : [])),
  ]);
}

function hiddenWhole(place: string, value: JsonValue | undefined): readonly (readonly [string, HiddenText])[] {
  return typeof value === 'string' && value !== hiddenMark ? [[place, { text: hiddenMark, secrets: [value] }]] : [];
}

function membersOf(material: JsonObject, name: string): readonly (readonly [string, JsonValue | undefined])[] {
  const members = material[name];
  return isJsonObject(members) ? Object.entries(members) : [];
}

function withMembers(
  material: JsonObject,
  name: string,
  change: (value: JsonValue | undefined, inner: string) => JsonValue | undefined,
): JsonObject {
  const members = membersOf(material, name);
  return members.length === 0 ? {} : { [name]: Object.fromEntries(members.map(([inner, value]) => [inner, change(value, inner)])) };
}

function inputPlace(id: string): string {
  return `inputs.${id}.default`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function markOf({ secrets }: HiddenText, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['secret in a definition', ...secrets]))
    .digest('base64url');
}
