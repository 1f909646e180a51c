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

/** The words of a name or a text, in lower case: `dbPass`, `DB_PASS` and `APIPass2` end with the word `pass`. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Names are often written without a gap (`accesstoken`), so such a word may end another; `tokenizer` and `monkey` are no such words. */
const secretEnding = /(?:passw(?:or[dt]|d)|pass(?:phrase|code)|kennwort|secret|token|credential)s?$/;
const keyEnding = /^(?:api|access|account|auth|client|deploy|encryption|license|master|private|secret|signing|ssh)keys?$/;
/** A key of any name, `OPENAIKEY` too, but no other word that ends so. */
const anyKey = /^(?!.*(?:monkey|donkey|turkey|hockey|jockey|lackey|whiskey|hotkey|turnkey))\p{L}*keys?$/u;
const shortPassword = /^(?:pass|pwd|pw|dbpass|userpass)$/;
/** Said alone or last, these are the secret itself; anywhere else they only say what it is about (`auth_mode`, `pin_color`). */
const lastAlone = /^(?:authorization|auth|cookies?|pin|otp|cvv|cvc)$/;

function isSecretWord(word: string): boolean {
  return secretEnding.test(word) || keyEnding.test(word) || shortPassword.test(word) || word === 'authorization';
}

const anySecretLetters = /pass|pw|kennwort|secret|token|credential|key|auth|cookie|pin|otp|cv[vc]/i;

/** The most characters of a name that are looked at: those at its end. */
const maxNameLength = 200;
/** `SSH_KEY_FILE` and `AWS_ACCESS_KEY_ID` say where or which, not the secret itself. */
const pointerWord = /(?:path|file|dir|url|^id|keyid)$/;
/** `MAX_TOKENS: "8192"` is a number of something. */
const plainValue = /^(\d{1,9}|true|false)$/i;

/** Whether the value of a variable, header or option looks like a secret that stands there itself, where a commit or a sync would publish it. */
export function isPlainSecret(name: string, value: string): boolean {
  const words = wordsOf(name.slice(-maxNameLength));
  const isNamed = words.some((word) => isSecretWord(word) || anyKey.test(word));
  return isNamed && !pointerWord.test(words.at(-1) ?? '') && isSecretValue(value);
}

/** Whether the value of a field that holds nothing but secrets is one. A value with a variable in it has its secret elsewhere. */
export function isSecretValue(value: string): boolean {
  return value.trim() !== '' && !plainValue.test(value) && !/\$\{[^}]+\}/.test(value);
}

/** Tokens of the protocol and of lists of several pages open nothing. */
const plainToken = /^(?:progress|page|next|continuation|cursor)token$/;

/** Whether the member of a JSON object with this name is a secret, whatever its value looks like. The last word of the name says so. */
export function isSecretField(name: string): boolean {
  // All items of a list are asked about with its name, however long that is.
  const end = name.slice(-maxNameLength);
  if (!anySecretLetters.test(end)) {
    return false; // most names, and there may be very many
  }
  const words = wordsOf(end);
  const [before = '', last = ''] = words.length < 2 ? ['', ...words] : words.slice(-2);
  if (plainToken.test(last) || plainToken.test(`${before}${last}`) || /tokens$/.test(last)) {
    return false;
  }
  return isSecretWord(last) || lastAlone.test(last) || keyEnding.test(`${before}${last}`);
}

/** Whether a text for people, such as the label of a form's field, seems to ask for a secret. In prose, `pass` and `auth` say little. */
export function asksForSecret(text: string): boolean {
  const words = wordsOf(text);
  return words.some((word, index) => {
    const both = `${words[index - 1] ?? ''}${word}`;
    return (
      secretEnding.test(word) ||
      keyEnding.test(word) ||
      keyEnding.test(both) ||
      /^(?:pwd|pin|otp|cvv?|cvc)$/.test(word) ||
      both === 'creditcard'
    );
  });
}
