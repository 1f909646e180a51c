import { isJsonObject, type JsonObject, type JsonValue, textOfJson } from '../../base/json.ts';
import { hideInAddress, hideInArgument, isNamedIn, isToken, type LaunchTexts } from '../../secrets/definitionSecrets.ts';
import { findSecrets } from '../../secrets/findSecrets.ts';
import type { SecretPlace } from '../../secrets/secretMarks.ts';
import { isPlainSecret, isSecretField, isSecretValue } from '../../secrets/secretNames.ts';
import { isDangerousVariable } from '../childEnvironment.ts';
import { type DefinitionText, textsOf } from '../variables.ts';

/** A place in a text of a pasted definition where something has to be filled in, or where a secret stands. */
export interface Blank extends SecretPlace {
  readonly kind: 'missing' | 'secret';
  readonly path: DefinitionText['path'];
  /** What it is called: the variable, header or option, or else the words of the placeholder. */
  readonly label: string;
  /** What stands there: a placeholder, nothing, or the secret. */
  readonly text: string;
  readonly isSecret: boolean;
  readonly mayHaveInput: boolean;
}

/** What a README writes where the reader is to put something of their own. */
const placeholder = new RegExp(
  [
    /<[^<>\s][^<>]{0,80}>/,
    /\{\{[^{}]{1,80}\}\}/,
    /(?<![$\w])\{[A-Z][A-Z0-9_]{2,80}\}/,
    /\[[A-Z][A-Z0-9_]*_[A-Z0-9_]{1,80}\]/,
    /(?<![A-Za-z0-9])(?:[Yy]our|YOUR|INSERT|ENTER|REPLACE)[_-][\w-]{1,80}/,
    /(?<![A-Za-z0-9])(?:my|MY)[_-](?:[\w-]{0,40}[_-])?(?:key|token|secret|password|KEY|TOKEN|SECRET|PASSWORD)(?![\w-])/,
    /(?<![A-Za-z0-9])(?:[A-Z0-9]{1,40}_){1,8}HERE(?![A-Za-z0-9])/,
    /(?<![A-Za-z0-9])(?:change|replace|CHANGE|REPLACE)[_-]?(?:me|ME)(?![A-Za-z0-9])/,
    /(?<![A-Za-z0-9/.])(?:[A-Za-z]{2,10}[_-]){0,3}(?:x{3,80}|X{3,80}|\*{3,80}|\.{3}|…)(?![A-Za-z0-9])/,
    /(?:\/|[A-Za-z]:\\)path[\\/]to(?:[\\/][\w.-]{1,80}){0,10}/,
    /(?:\/Users|\/home|[A-Za-z]:\\Users)[\\/](?:username|yourname|you|user_name)(?:[\\/][\w.-]{1,80}){0,10}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Values that stand for a secret without being one. */
const wordForSecret = /^(?:(?:api|access|auth)?[_-]?(?:key|token|secret)|password|value|placeholder|example|todo)$/i;

/** Finds what is missing in a definition, and what in it is a secret that must not stand in a settings file. */
export function findBlanks(definition: JsonObject): readonly Blank[] {
  const launch = launchOf(definition);
  return textsOf(definition).flatMap((each) => {
    const missing = missingIn(each, nameOf(each, launch));
    const isFree = ({ from, to }: SecretPlace): boolean => missing.every((blank) => to <= blank.from || from >= blank.to);
    const secrets = secretsIn(each, launch).filter((place) => place.from < place.to && isFree(place));
    return [...missing, ...secrets.map((place) => toBlank('secret', each, place, nameOf(each, launch)))];
  });
}

function launchOf(definition: JsonObject): LaunchTexts {
  const { command, args, env } = definition;
  return {
    command: typeof command === 'string' ? command : '',
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(
      Object.entries(isJsonObject(env) ? env : {}).map(([name, value]) => [name, value === null ? null : textOfJson(value)]),
    ),
    changesCode: isDangerousVariable,
  };
}

/** What a text belongs to: its variable or header, or the option before it. */
function nameOf({ path: [field = '', key = ''], text }: DefinitionText, { args }: LaunchTexts): string {
  if (field !== 'args') {
    return field === 'url' || field === 'command' || key === '' ? '' : String(key);
  }
  const [, own] = /^((?:--)?[A-Za-z_][\w.-]{0,100})=/.exec(text) ?? [];
  const before = args[Number(key) - 1] ?? '';
  return (own ?? (/^--?[A-Za-z]/.test(before) && !text.startsWith('-') ? before : '')).replace(/^-+/, '');
}

function missingIn(each: DefinitionText, name: string): readonly Blank[] {
  const { path, text } = each;
  const isNamed = path[0] === 'env' || path[0] === 'headers';
  if (isNamed && (text.trim() === '' || text === name || (isPlainSecret(name, text) && wordForSecret.test(text)))) {
    return [toBlank('missing', each, { from: 0, to: text.length }, name)];
  }
  return [...text.matchAll(placeholder)].map(({ 0: found, index }) =>
    toBlank('missing', each, { from: index, to: index + found.length }, name),
  );
}

function toBlank(kind: Blank['kind'], { path, text, mayHaveInput }: DefinitionText, { from, to }: SecretPlace, name: string): Blank {
  const found = text.slice(from, to);
  const words = found.replace(/^[<{[\s]+|[>}\]\s]+$/g, '');
  const [, ofQuery] = /[?&]([\w.-]{1,100})=$/.exec(text.slice(0, from)) ?? [];
  const label = ofQuery ?? (name !== '' && name !== 'y' ? name : kind === 'missing' ? words : String(path[0]));
  // No input may decide which machine is asked: it is shown before anybody is asked for anything.
  const isOfHost = path[0] === 'url' && from < hostEnd(text);
  const isSecret = kind === 'secret' || [label, words].some((each) => isPlainSecret(each, 'value') || isSecretField(each));
  return { kind, path, from, to, label, text: found, isSecret, mayHaveInput: mayHaveInput && path[0] !== 'command' && !isOfHost };
}

function hostEnd(url: string): number {
  return /^[a-z][a-z\d+.-]{0,20}:\/\/[^/?#]*/i.exec(url)?.[0].length ?? url.length;
}

function secretsIn({ path: [field = '', key = ''], text }: DefinitionText, launch: LaunchTexts): readonly SecretPlace[] {
  switch (field) {
    case 'env':
      return secretsOfVariable(String(key), text, launch);
    case 'headers': {
      const scheme = /^(?:bearer|basic|token) {1,4}/i.exec(text)?.[0].length ?? 0;
      return isPlainSecret(String(key), text) ? [{ from: scheme, to: text.length }] : findSecrets(text);
    }
    case 'args':
      return [...placesOf(hideInArgument(Number(key), launch).secrets, text), ...(mayRunText(launch) ? [] : findSecrets(text))].slice(0, 1);
    case 'url':
      return placesOf(hideInAddress(text).secrets, text);
    case 'auth':
      return key === 'clientSecret' && isSecretValue(text) ? [{ from: 0, to: text.length }] : [];
    default:
      return [];
  }
}

/** A variable that can change which code runs, or that another text names and that may be code, stays where the start question shows it. */
function secretsOfVariable(name: string, value: string, launch: LaunchTexts): readonly SecretPlace[] {
  const { command, args, env } = launch;
  const others = Object.entries(env).flatMap(([other, text]) => (other === name || text === null ? [] : [text]));
  // `docker run -e NAME` passes the variable on, and names it for nothing else.
  const isPassedOn = (arg: string, index: number): boolean => arg === name && /^(?:-e|--env)$/.test(args[index - 1] ?? '');
  const naming = mayRunText(launch) ? args : args.filter((arg, index) => !isPassedOn(arg, index));
  if (isDangerousVariable(name) || (isNamedIn(name, [command, ...naming, ...others]) && !isToken(value))) {
    return [];
  }
  return isPlainSecret(name, value) ? [{ from: 0, to: value.length }] : findSecrets(value);
}

/** Whether one of the arguments may be a script: then what looks like a secret may be a part of it. */
function mayRunText({ args }: LaunchTexts): boolean {
  return args.some((arg) => /[`;|<>(){}]|\$(?!\{(?:env|input|workspaceFolder|userHome))/.test(arg.replace(/\$\{[^}]*\}/g, '')));
}

function placesOf(secrets: readonly string[], text: string): readonly SecretPlace[] {
  return secrets.flatMap((secret) => {
    const from = text.indexOf(secret);
    return from < 0 ? [] : [{ from, to: from + secret.length }];
  });
}

/** Puts other texts into the blanks of a definition. Blanks that are not in the map stay as they are. */
export function fillBlanks(definition: JsonObject, texts: ReadonlyMap<Blank, string>): JsonObject {
  const fromTheEnd = [...texts].sort(([one], [other]) => other.from - one.from);
  return fromTheEnd.reduce<JsonObject>((filled, [{ path, from, to }, text]) => {
    return changeText(filled, path, (before) => before.slice(0, from) + text + before.slice(to)) as JsonObject;
  }, definition);
}

/** Changes one text of a definition. */
function changeText(value: JsonValue | undefined, [step, ...deeper]: DefinitionText['path'], change: (text: string) => string): JsonValue {
  if (step === undefined) {
    return typeof value === 'string' ? change(value) : (value ?? null);
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((each, index) => (index === step ? changeText(each, deeper, change) : each));
  }
  return isJsonObject(value) ? { ...value, [step]: changeText(value[step], deeper, change) } : (value ?? null);
}
