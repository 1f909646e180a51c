import { isDangerousVariable } from './childEnvironment.ts';

const secretName = /token|secret|key|password|authorization/i;
/** `SSH_KEY_FILE` and `AWS_ACCESS_KEY_ID` say where or which, not the secret itself. */
const pointerName = /(path|file|dir|url|id)$/i;
/** `MAX_TOKENS: "8192"` is a number of something. */
const plainValue = /^(\d{1,9}|true|false)$/i;

/** Whether a value looks like a secret that stands in the file itself, where a commit or a sync would publish it. */
export function isPlainSecret(name: string, value: string): boolean {
  return secretName.test(name) && !pointerName.test(name) && isSecretValue(value);
}

/** For a field that holds nothing but secrets. A value with a variable in it has its secret elsewhere. */
export function isSecretValue(value: string): boolean {
  return value.trim() !== '' && !plainValue.test(value) && !/\$\{[^}]+\}/.test(value);
}

/**
 * Only what cannot be anything but a token is hidden among what a program is given: never a path, a package or a command,
 * whatever the option before it is called.
 */
const opaque = String.raw`(?=[\w.~+-]{0,4000}\d)[\w.~+-]{12,4000}={0,2}`;
/** `--token=…`, `API_KEY=…`, `Authorization: Bearer …`, and `&key=…` in an address. */
const assignment = new RegExp(
  String.raw`(?<![\w.-])([\w.-]{1,100})(=|:[ \t]{0,4}(?:(?:bearer|basic|token)[ \t]{1,4})?)(${opaque})(?=$|[&#\s"'])`,
  'gi',
);
const option = /^--?[\w.-]{1,100}$/;
const wholeToken = new RegExp(`^${opaque}$`);

/** Every argument as a person is shown it: `hide` says what stands for a secret. */
export function hideInArguments(args: readonly string[], hide: (secret: string) => string): readonly string[] {
  return args.map((argument, index) => {
    const before = args[index - 1] ?? '';
    const isValue = option.test(before) && isPlainSecret(before, argument) && wholeToken.test(argument);
    return isValue ? hide(argument) : hideInText(argument, hide);
  });
}

/** Values beside a name that says what they are: in an argument, and in the query of an address. */
export function hideInText(text: string, hide: (secret: string) => string): string {
  return text.replace(assignment, (whole, name: string, between: string, value: string) =>
    isPlainSecret(name, value) && !isDangerousVariable(name) ? `${name}${between}${hide(value)}` : whole,
  );
}
