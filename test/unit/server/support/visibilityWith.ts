import type { Visibility } from '../../../../src/server/seen/withheld/visibility.ts';

/** What a client may see, of a rule for paths and a rule for texts. */
export function visibilityWith(isShown: Visibility['isShown'], redact: Visibility['redact']): Visibility {
  return {
    isShown,
    isPath: () => true,
    redact,
    redactPart: (text, { from, to }) => Promise.resolve(redact(text.slice(from, to))),
    hide: (text) => Promise.resolve(text),
    secretLine: undefined,
  };
}
