import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

export interface DefinitionText {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** A path is shown before the person is asked for anything, so no input may decide it. */
  readonly mayHaveInput: boolean;
}

/** Every text of a definition in which variables are expanded, also while the definition is half written. */
export function textsOf(raw: JsonObject): readonly DefinitionText[] {
  const auth = isJsonObject(raw['auth']) ? raw['auth'] : {};
  return [
    ...text(['command'], raw['command']),
    ...(Array.isArray(raw['args']) ? raw['args'] : []).flatMap((value: JsonValue, index) => text(['args', index], value)),
    ...members('env', raw['env']),
    ...text(['cwd'], raw['cwd'], false),
    ...text(['envFile'], raw['envFile'], false),
    ...text(['url'], raw['url']),
    ...members('headers', raw['headers']),
    ...text(['auth', 'clientSecret'], auth['clientSecret']),
    ...text(['auth', 'clientId'], auth['clientId'], false),
    ...members('tls', raw['tls'], false),
  ];
}

function text(path: DefinitionText['path'], value: unknown, mayHaveInput = true): readonly DefinitionText[] {
  return typeof value === 'string' ? [{ path, text: value, mayHaveInput }] : [];
}

function members(field: string, values: unknown, mayHaveInput = true): readonly DefinitionText[] {
  return Object.entries(isJsonObject(values) ? values : {}).flatMap(([key, value]) => text([field, key], value, mayHaveInput));
}
