import { isDangerousVariable } from './childEnvironment.ts';
import { isPlainSecret } from './plainSecrets.ts';
import { isOpaque, isToken } from './tokenShape.ts';

/** What stands for a secret: no word of any language. */
export const hiddenMark = '•••';

/** A text with the secrets that were taken out of it. */
export interface HiddenText {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Everything of a local definition in which something that runs can stand. */
export interface LaunchTexts {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
}

/**
 * A variable of the environment. What can change which code runs is shown whatever it is called, and so is what something
 * else of the definition names: `sh -c $RUN_KEY` runs it.
 */
export function hideVariable(name: string, { command, args, env }: LaunchTexts): HiddenText {
  const value = env[name] ?? '';
  const others = Object.entries(env).flatMap(([other, text]) => (other === name || text === null ? [] : [text]));
  const isHidden =
    isPlainSecret(name, value) && !isDangerousVariable(name) && isOpaque(value) && !isNamedIn(name, [command, ...args, ...others]);
  return isHidden ? { text: hiddenMark, secrets: [value] } : shownWhole(value);
}

/** A header: it runs nothing here, but what is no token may be anything. */
export function hideHeader(name: string, value: string): HiddenText {
  const [, scheme = '', token = ''] = /^((?:bearer|basic|token) {1,4})?(\S{1,8000})$/i.exec(value) ?? [];
  const isHidden = isPlainSecret(name, value) && isOpaque(token.replaceAll('/', '_'));
  return isHidden ? { text: `${scheme}${hiddenMark}`, secrets: [token] } : shownWhole(value);
}

/** An argument is hidden only as the value of a `--long-option`, of `NAME=` or in an address, and only when it is a token. */
export function hideInArgument(index: number, { command, args, env }: LaunchTexts): HiddenText {
  const argument = args[index] ?? '';
  if (args.some(mayBeScript)) {
    return shownWhole(argument);
  }
  if (isSecretOption(args[index - 1] ?? '', argument) && isToken(argument)) {
    return { text: hiddenMark, secrets: [argument] };
  }
  const [, name = '', value = ''] = /^((?:--)?[A-Za-z_][\w.-]{0,100})=(.{1,8000})$/.exec(argument) ?? [];
  const others = [command, ...args.filter((_, at) => at !== index), ...Object.values(env).map((text) => text ?? '')];
  const isOwn = name.startsWith('--') ? isSecretOption(name, value) : isSecretVariable(name, value) && !isNamedIn(name, others);
  return isOwn && isToken(value) ? { text: `${name}=${hiddenMark}`, secrets: [value] } : hideInQuery(argument, isToken);
}

/** Then every other argument may be a part of what it runs: `sh -c 'npx -y $1' --token evil`. */
function mayBeScript(argument: string): boolean {
  return /[\s`$;|<>(){}'"]/.test(argument) || (argument.includes('&') && !/^[a-z]+:\/\//i.test(argument));
}

/** The address of a server: nothing in its query runs. */
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

/** `--no-auth-token` takes no value: what follows it is something else. */
function isSecretOption(option: string, value: string): boolean {
  return /^--(?!no-)[a-z][\w.-]{0,100}$/i.test(option) && isPlainSecret(option, value);
}

function isSecretVariable(name: string, value: string): boolean {
  return isPlainSecret(name, value) && !isDangerousVariable(name);
}

/** In any spelling and as a part of another word: shells and programs differ in what they take for a name. */
function isNamedIn(name: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.toLowerCase().includes(name.toLowerCase()));
}

function shownWhole(text: string): HiddenText {
  return { text, secrets: [] };
}
