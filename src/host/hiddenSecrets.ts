import { fingerprintOf } from '../consent/fingerprint.ts';
import { isDangerousVariable } from '../definitions/childEnvironment.ts';
import { hideInArguments, hideInText, isPlainSecret } from '../definitions/plainSecrets.ts';

/** A text of a definition as the question shows it and as it is remembered: where it looks like a secret, without it. */
export interface ShownText {
  readonly value: string;
  /** Tells one secret from another, and neither of them. */
  readonly material: string;
  readonly isHidden: boolean;
}

const hiddenValue = 'set, not shown: it looks like a secret';
const hiddenPart = '(not shown)';

/** A variable of the environment or a header. What can change which code runs is shown whatever it is called. */
export function shownVariable(name: string, text: string): ShownText {
  return isPlainSecret(name, text) && !isDangerousVariable(name)
    ? { value: hiddenValue, material: `${hiddenValue}, ${hashOf(text)}`, isHidden: true }
    : { value: text, material: text, isHidden: false };
}

export function shownArguments(args: readonly string[]): readonly ShownText[] {
  const values = hideInArguments(args, () => hiddenPart);
  const materials = hideInArguments(args, hashOf);
  return args.map((text, index) => toShown(text, values[index] ?? text, materials[index] ?? text));
}

export function shownAddress(text: string): ShownText {
  return toShown(
    text,
    hideInText(text, () => hiddenPart),
    hideInText(text, hashOf),
  );
}

function toShown(text: string, value: string, material: string): ShownText {
  return { value, material, isHidden: value !== text };
}

function hashOf(secret: string): string {
  return `hash ${fingerprintOf({ secret })}`;
}
