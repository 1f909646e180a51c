// sentences/: what people read about failures, in their language. Each room below has its texts in a table, once, in English; this
// file says them in another language. The views' own failures are in viewErrors.ts.
import { type ErrorArguments, isAppError, messageOf, type Say, type SentenceTable } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';

/**
 * `vscode.l10n.t` for texts of the views themselves, handed in so that they can be read without an editor. The text is always
 * written out at the call: `npm run l10n` gathers it from there.
 */
export type Translate = (english: string, ...args: readonly (string | number | boolean)[]) => string;

/** The sentence of a failure in the language of `say`. A failure that is not ours keeps its own words. */
export function sentenceOfError(error: unknown, say: Say): string {
  if (!isAppError(error)) {
    return messageOf(error);
  }
  const { sentence, message, args, cause } = error;
  // A reason that is itself a failure of ours is translated, too.
  const isOurs = isAppError(cause) && args['reason'] === cause.message;
  const given = isOurs ? { ...args, reason: sentenceOfError(cause, say) } : args;
  return sentence === undefined ? message : say(sentence, given);
}

/** The sentence of a code and arguments that another process sent; undefined when they are not of its making. */
export function sentenceOfData(data: unknown, table: SentenceTable, say: Say): string | undefined {
  const { code, args } = isJsonObject(data) ? data : {};
  const sentence = typeof code === 'string' && Object.hasOwn(table, code) ? table[code] : undefined;
  return sentence === undefined || !isJsonObject(args) ? undefined : say(sentence, args as ErrorArguments);
}
