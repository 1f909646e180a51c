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
