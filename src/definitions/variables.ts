import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { definitionError } from './definitionErrors.ts';
import type { WorkspaceFolder } from './serverDefinition.ts';

export interface VariableContext {
  /** The folder that a definition belongs to: its own, or the first of the workspace. */
  readonly folder: WorkspaceFolder | undefined;
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's answers by input id. Undefined before the start was allowed: inputs then expand to nothing. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
}

/**
 * An expanded text. `value` is used; `shown` is for people and fingerprints, and keeps the names of environment variables
 * and inputs, because their values may be secrets.
 */
export interface Expanded {
  readonly value: string;
  readonly shown: string;
  /** The names of the environment variables in it. */
  readonly variables: readonly string[];
  /** The ids of the inputs that the text names as `${input:id}`. */
  readonly inputs: readonly string[];
}

/** The bound keeps a text of many beginnings and no end from being read anew at each of them. */
const reference = /\$\{([^}]{0,500})\}/g;

/** Expands variables in one pass: what a variable expands to is never expanded again. The result is one argument, whatever it holds. */
export function expand(text: string, context: VariableContext): Expanded {
  const variables: string[] = [];
  const inputs: string[] = [];
  const value = text.replace(reference, (_whole, expression: string) => resolve(expression, context));
  const shown = text.replace(reference, (whole, expression: string) => {
    const variable = environmentName(expression);
    const input = inputName(expression);
    if (variable === undefined && input === undefined) {
      return resolve(expression, context);
    }
    variables.push(...(variable === undefined ? [] : [variable]));
    inputs.push(...(input === undefined ? [] : [input]));
    return whole;
  });
  return { value, shown, variables, inputs };
}

/** The ids of the inputs that a text refers to. */
export function inputsIn(text: string): readonly string[] {
  return [...text.matchAll(reference)].flatMap((match) => inputName(match[1] ?? '') ?? []);
}

export interface UnsetVariable {
  readonly variable: string;
  /** Where the definition names it: `['env', 'TOKEN']`. */
  readonly path: readonly (string | number)[];
}

/** The environment variables that a definition names and that are not set: nothing would stand in their places. Each is told once. */
export function unsetVariablesOf(raw: JsonObject, env: VariableContext['env']): readonly UnsetVariable[] {
  const named = textsOf(raw).flatMap(({ path, text: value }) =>
    [...value.matchAll(reference)].flatMap((match) => {
      const variable = environmentName(match[1] ?? '');
      return variable === undefined || env[variable] !== undefined ? [] : [{ variable, path }];
    }),
  );
  return named.filter(({ variable }, index) => named.findIndex((each) => each.variable === variable) === index);
}

export function namesOfUnset(raw: JsonObject, env: VariableContext['env']): readonly string[] {
  return unsetVariablesOf(raw, env).map(({ variable }) => variable);
}

/** The expressions in `${…}` that are no known variable. */
export function unknownVariablesIn(text: string): readonly string[] {
  return [...text.matchAll(reference)].map((match) => match[1] ?? '').filter((expression) => kindOf(expression) === undefined);
}

/** Replaces every reference that may hold a secret (environment or input), to find out where in the text they are. */
export function replaceSecretVariables(shown: string, replacement: string): string {
  return shown.replace(reference, (whole, expression: string) =>
    environmentName(expression) === undefined && inputName(expression) === undefined ? whole : replacement,
  );
}

function resolve(expression: string, context: VariableContext): string {
  switch (kindOf(expression)) {
    case 'folder':
      return folderPath(/^workspaceFolder:(.*)$/s.exec(expression)?.[1], context);
    case 'home':
      return context.userHome;
    case 'environment':
      return context.env[environmentName(expression) ?? ''] ?? ''; // as VS Code does
    case 'input':
      return context.inputs?.get(inputName(expression) ?? '') ?? '';
    case undefined:
      throw definitionError('definitions.unknownVariable', { variable: `\${${expression}}` });
  }
}

function kindOf(expression: string): 'folder' | 'home' | 'environment' | 'input' | undefined {
  if (expression === 'workspaceFolder' || expression.startsWith('workspaceFolder:')) {
    return 'folder';
  }
  if (expression === 'userHome') {
    return 'home';
  }
  if (environmentName(expression) !== undefined) {
    return 'environment';
  }
  return inputName(expression) === undefined ? undefined : 'input';
}

function environmentName(expression: string): string | undefined {
  return /^env:(.+)$/s.exec(expression)?.[1];
}

function inputName(expression: string): string | undefined {
  return /^input:(.+)$/s.exec(expression)?.[1];
}

function folderPath(name: string | undefined, context: VariableContext): string {
  const folder = name === undefined ? context.folder : context.folders.find((each) => each.name === name);
  if (folder !== undefined) {
    return folder.path;
  }
  if (name === undefined) {
    throw definitionError('definitions.noFolder');
  }
  throw definitionError('definitions.unknownFolder', { variable: `\${workspaceFolder:${name}}` });
}

export interface DefinitionText {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** Whether inputs may be used. In a path they may not: it is shown before the person is asked for anything. */
  readonly mayHaveInput: boolean;
}

/** Every text of a definition in which variables are expanded. The definition may be half written. */
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
    ...boxTexts(raw['sandbox']),
  ];
}

function boxTexts(sandbox: unknown): readonly DefinitionText[] {
  return Object.entries(isJsonObject(sandbox) ? sandbox : {}).flatMap(([key, values]) =>
    (Array.isArray(values) ? values : []).flatMap((value: JsonValue, index) => text(['sandbox', key, index], value, false)),
  );
}

function text(path: DefinitionText['path'], value: unknown, mayHaveInput = true): readonly DefinitionText[] {
  return typeof value === 'string' ? [{ path, text: value, mayHaveInput }] : [];
}

function members(field: string, values: unknown, mayHaveInput = true): readonly DefinitionText[] {
  return Object.entries(isJsonObject(values) ? values : {}).flatMap(([key, value]) => text([field, key], value, mayHaveInput));
}
