import { hiddenMark } from './secretMarks.ts';
import { isPlainSecret, isSecretValue } from './secretNames.ts';

/** A text of a server's definition as a person is shown it, and the secrets that were taken out of it. */
export interface HiddenText {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Everything in the definition of a local server that can say what runs. */
export interface LaunchTexts {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
  /** Whether a variable of this name can change which code runs. */
  readonly changesCode: (name: string) => boolean;
}

/**
 * Hides the value of an environment variable that is a secret. A variable that can change which code runs is shown whatever it
 * is called, and so is one that something else in the definition names: `sh -c $RUN_KEY` runs it.
 */
export function hideVariable(name: string, { command, args, env, changesCode }: LaunchTexts): HiddenText {
  const value = env[name] ?? '';
  const others = Object.entries(env).flatMap(([other, text]) => (other === name || text === null ? [] : [text]));
  const isHidden = isPlainSecret(name, value) && !changesCode(name) && isOpaque(value) && !isNamedIn(name, [command, ...args, ...others]);
  return isHidden ? { text: hiddenMark, secrets: [value] } : shownWhole(value);
}

/** Hides the token in a header. A header runs nothing here, but a value that does not look like a token may be anything, so it is shown. */
export function hideHeader(name: string, value: string): HiddenText {
  const [, scheme = '', token = ''] = /^((?:bearer|basic|token) {1,4})?(\S{1,8000})$/i.exec(value) ?? [];
  const isHidden = isPlainSecret(name, value) && isOpaque(token.replaceAll('/', '_'));
  return isHidden ? { text: `${scheme}${hiddenMark}`, secrets: [token] } : shownWhole(value);
}

/** Hides a secret in an argument: only the value of a `--long-option`, of `NAME=` or in an address, and only when it is a token. */
export function hideInArgument(index: number, { command, args, env, changesCode }: LaunchTexts): HiddenText {
  const argument = args[index] ?? '';
  if (args.some(mayBeScript)) {
    return shownWhole(argument);
  }
  if (isSecretOption(args[index - 1] ?? '', argument) && isToken(argument)) {
    return { text: hiddenMark, secrets: [argument] };
  }
  const [, name = '', value = ''] = /^((?:--)?[A-Za-z_][\w.-]{0,100})=(.{1,8000})$/.exec(argument) ?? [];
  const others = [command, ...args.filter((_, at) => at !== index), ...Object.values(env).map((text) => text ?? '')];
  const isOwn = name.startsWith('--')
    ? isSecretOption(name, value)
    : isPlainSecret(name, value) && !changesCode(name) && !isNamedIn(name, others);
  return isOwn && isToken(value) ? { text: `${name}=${hiddenMark}`, secrets: [value] } : hideInQuery(argument, isToken);
}

/** Whether a shell may run this argument. Then every other one may be a part of what it runs: `sh -c 'npx -y $1' --token evil`. */
function mayBeScript(argument: string): boolean {
  return /[\s`$;|<>(){}'"]/.test(argument) || (argument.includes('&') && !/^[a-z]+:\/\//i.test(argument));
}

/** Hides secrets in the query of a server's address, where nothing runs. */
export function hideInAddress(text: string): HiddenText {
  return hideInQuery(text, (value) => isOpaque(value) && value.length >= 12);
}

function hideInQuery(text: string, isSecret: (value: string) => boolean): HiddenText {
  if (!/^[a-z][a-z\d+.-]{0,20}:\/\/[^\s?#]{0,4000}\?/i.test(text)) {
    return shownWhole(text);
  }
  const secrets: string[] = [];
  const hidden = text.replace(/([?&])([\w.-]{1,100})=([^&#]{1,8000})/g, (whole, before: string, name: string, value: string) => {
    if (!isPlainSecret(name, value) || !isSecret(value)) {
      return whole;
    }
    secrets.push(value);
    return `${before}${name}=${hiddenMark}`;
  });
  return { text: hidden, secrets };
}

/** Whether this option takes a secret. `--no-auth-token` takes no value: what follows it is something else. */
function isSecretOption(option: string, value: string): boolean {
  return /^--(?!no-)[a-z][\w.-]{0,100}$/i.test(option) && isPlainSecret(option, value);
}

/** Whether a text names the variable, in any spelling or as a part of a word: shells and programs differ in what they take for a name. */
export function isNamedIn(name: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.toLowerCase().includes(name.toLowerCase()));
}

function shownWhole(text: string): HiddenText {
  return { text, secrets: [] };
}

/** Shorter values are words that stand anywhere, so they are not looked for. */
export const minSecretLength = 6;
const reference = /\$\{env:([^}]{1,200})\}/g;

/** The texts that a definition gives its server: each with its name, or one argument after the other. */
export interface GivenTexts {
  readonly named: readonly (readonly [name: string, value: string])[];
  readonly args: readonly string[];
}

/** Finds what looks like a secret in these texts, itself or by a variable of the environment, so that it is recognised elsewhere. */
export function secretValuesIn({ named, args }: GivenTexts, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = args.flatMap((argument, index) => secretsIn(argument, args[index - 1] ?? ''));
  for (const [name, value] of named) {
    if (isPlainSecret(name, value)) {
      // Of `Bearer …` the token alone is a secret, too.
      found.push(value, value.replace(/^\w{1,20} /, ''));
    }
  }
  for (const text of [...args, ...named.map(([, value]) => value)]) {
    for (const [, name = ''] of text.matchAll(reference)) {
      const value = env[name] ?? '';
      if (isPlainSecret(name, value)) {
        found.push(value);
      }
    }
  }
  return [...new Set(found)].filter(({ length }) => length >= minSecretLength);
}

/** Finds the secrets among the variables of an envFile: by their names, by their look, and the passwords in addresses. */
export function secretsOfFile(variables: Readonly<Record<string, string>>): readonly string[] {
  const found = Object.entries(variables).flatMap(([name, value]) => {
    const [, password = ''] = /^[a-z][a-z\d+.-]{0,30}:\/\/[^/\s:@]{0,500}:([^/\s@]{1,2000})@/i.exec(value) ?? [];
    return isPlainSecret(name, value) || looksRandom(value) ? [value, password] : [password];
  });
  return [...new Set(found)].filter(({ length }) => length >= minSecretLength);
}

/** Whether a value is no word, number, path or address. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && /^[\w.+=~-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && isSecretValue(value);
}

/** Finds the secrets in an argument. Rather one too many than too few: nobody decides by what is hidden because of it. */
function secretsIn(argument: string, before: string): readonly string[] {
  const assigned = [...argument.matchAll(/([\w.-]{1,100})=([^&\s]{1,8000})/g)].flatMap(([, name = '', value = '']) =>
    isPlainSecret(name, value) ? [value] : [],
  );
  return before.startsWith('-') && isPlainSecret(before, argument) ? [argument, ...assigned] : assigned;
}

/** Whether a text is one word without a path, white space or anything that a shell reads, and no `name.ext`, which may be a file that runs. */
function isOpaque(text: string): boolean {
  return /^[\w~+][\w.~+=-]{0,4000}$/.test(text) && !/\.[a-z]\w{0,5}$/i.test(text);
}

/** Tokens of well-known issuers. The random part has capitals, small letters and digits, which words with hyphens do not have. */
const knownIssuer = /^(gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255}|sk-[\w-]{20,255}|xox[a-z]-[\w-]{20,255})$/;
const webToken = /^eyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}$/;
const accessKeyId = /^A[KS]IA(?=[A-Z]*\d)[A-Z0-9]{16}$/;
const minRandomLength = 20;
const minDistinct = 10;
/** The share of steps from one character to the next that lead into another class: about 0.6 in random text, below 0.4 in words. */
const minSteps = 0.45;

/**
 * Whether a text cannot reasonably be anything but a token. In doubt it is none: a secret that its owner sees in a question is
 * the lesser evil, code that nobody sees the greater.
 */
export function isToken(text: string): boolean {
  if (accessKeyId.test(text)) {
    return true;
  }
  if (!webToken.test(text) && !knownIssuer.test(text) && !/^\w{20,4000}={0,2}$/.test(text)) {
    return false;
  }
  return text.split(/[-_.=]/).some(isRandom);
}

function isRandom(part: string): boolean {
  if (part.length < minRandomLength || new Set(part).size < minDistinct) {
    return false;
  }
  const classes = Array.from(part, (character) => (/\d/.test(character) ? 'digit' : /[A-Z]/.test(character) ? 'capital' : 'small'));
  const steps = classes.filter((each, index) => index > 0 && each !== classes[index - 1]).length;
  return new Set(classes).size === 3 && steps / (part.length - 1) >= minSteps;
}
