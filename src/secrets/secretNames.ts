/** Files that by custom hold secrets, by their names. */
const sensitiveFiles: readonly RegExp[] = [/^\.env/i, /\.(pem|key|p12|pfx)$/i, /^id_(?!.*\.pub$)/i, /^\.(npmrc|netrc|pypirc)$/i];
const sensitiveFolders = /^\.(ssh|aws|gnupg)$/i;

/** Whether a path names something that holds secrets by custom. Every segment counts: what lies in such a folder is as secret as the folder. */
export function hasSensitiveName(path: string): boolean {
  return segmentsOf(path).some((segment) => sensitiveFolders.test(segment) || sensitiveFiles.some((name) => name.test(segment)));
}

/** Whether the path to the workspace leads through a secret folder. Names of files say nothing here: the workspace is a folder below them. */
export function leadsThroughSensitiveFolder(path: string): boolean {
  return segmentsOf(path).some((segment) => sensitiveFolders.test(segment));
}

/** The names in a path. Windows ignores dots and spaces at the end of a name, and what follows a colon names a stream of the same file. */
function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).map((segment) => segment.replace(/:.*$/s, '').replace(/[. ]+$/, ''));
}

const secretWord = /token|secret|key|password|authorization/i;
/** `SSH_KEY_FILE` and `AWS_ACCESS_KEY_ID` say where or which, not the secret itself. */
const pointerName = /(path|file|dir|url|id)$/i;
/** `MAX_TOKENS: "8192"` is a number of something. */
const plainValue = /^(\d{1,9}|true|false)$/i;

/** Whether the value of a variable, header or option looks like a secret that stands there itself, where a commit or a sync would publish it. */
export function isPlainSecret(name: string, value: string): boolean {
  return secretWord.test(name) && !pointerName.test(name) && isSecretValue(value);
}

/** Whether the value of a field that holds nothing but secrets is one. A value with a variable in it has its secret elsewhere. */
export function isSecretValue(value: string): boolean {
  return value.trim() !== '' && !plainValue.test(value) && !/\$\{[^}]+\}/.test(value);
}

/** The last word of such a name says that its value is a secret. */
const secretFieldName =
  /(?:pass(?:word|wd|phrase|code)|secret|token|credentials?|authorization|(?:api|access|private|account|secret)[_-]?key|(?:^|[_-])(?:pass|pwd|pin|otp))$/i;
/** Tokens of the protocol and of lists of several pages open nothing. */
const plainTokenName = /(?:progress|page|next|continuation|cursor)[_-]?token$/i;

/** Whether the member of a JSON object with this name is a secret, whatever its value looks like. */
export function isSecretField(name: string): boolean {
  return secretFieldName.test(name.slice(-200)) && !plainTokenName.test(name.slice(-200));
}

const secretWords = /pass(word|phrase|code|wd)|secret|token|api[\s_-]?key|credential|private[\s_-]?key|\bpin\b|\bcvv?\b|credit[\s_-]?card/i;

/** Whether a text for people, such as the label of a form's field, seems to ask for a secret. */
export function asksForSecret(text: string): boolean {
  return secretWords.test(text);
}
