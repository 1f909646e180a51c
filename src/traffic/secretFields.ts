/** The last word of a name says that its value is a secret. */
const secretName =
  /(?:pass(?:word|wd|phrase|code)|secret|token|credentials?|authorization|(?:api|access|private|account|secret)[_-]?key|(?:^|[_-])(?:pass|pwd|pin|otp))$/i;
/** Tokens of the protocol's and of lists, which open nothing. */
const plainName = /(?:progress|page|next|continuation|cursor)[_-]?token$/i;

/** Whether a member of an object is one by its name, whatever it looks like. */
export function isSecretField(name: string): boolean {
  return secretName.test(name.slice(-200)) && !plainName.test(name.slice(-200));
}
