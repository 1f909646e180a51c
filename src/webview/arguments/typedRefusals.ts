import { useEffect, useState } from 'preact/hooks';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ArgumentPath, ArgumentRefusal } from '../../contract/argumentFields.ts';
import { valueAt } from '../../schemaForms/argumentValues.ts';
import { parsedArguments } from './argumentsState.ts';

/** Arguments as JSON, held against the tool's whole schema; nothing where that cannot be done. */
export type CheckArguments = (text: string, signal: AbortSignal) => Promise<readonly ArgumentRefusal[]>;

interface Found {
  readonly text: string;
  readonly refusals: readonly ArgumentRefusal[];
}

/** Long enough for a word to be typed, short enough to still be looking at it. */
const pauseMs = 300;

export interface TypedRefusals {
  readonly refusals: readonly ArgumentRefusal[];
  /** False while they were said of what was typed before. */
  readonly isOfThisText: boolean;
}

/** What the whole schema says against what is typed, once that is JSON. */
export function useTypedRefusals(text: string, isJson: boolean, check: CheckArguments | undefined): TypedRefusals {
  const [found, setFound] = useState<Found>({ text: '', refusals: [] });
  useEffect(() => {
    if (check === undefined || !isJson || text === found.text) {
      return;
    }
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      const finish = (refusals: readonly ArgumentRefusal[]): void => {
        if (!stopping.signal.aborted) {
          setFound({ text, refusals });
        }
      };
      // What cannot be checked here is checked again before it is sent.
      check(text, stopping.signal).then(finish, () => finish([]));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text, isJson]);
  return { refusals: isJson ? stillTrue(found, text) : [], isOfThisText: found.text === text };
}

/** Until the next word comes, what was said of a value holds while the value is the same: nothing flickers at each key. */
export function stillTrue({ text: before, refusals }: Found, text: string): readonly ArgumentRefusal[] {
  if (before === text || refusals.length === 0) {
    return refusals;
  }
  const [then, now] = [parsedArguments(before) ?? {}, parsedArguments(text) ?? {}];
  const isSame = ({ path }: ArgumentRefusal): boolean => {
    const value = valueAt(then, path);
    const isMissing = value === undefined;
    return path.length > 0 && JSON.stringify(value) === JSON.stringify(valueAt(now, path)) && (!isMissing || hasPlaceFor(path, then, now));
  };
  return refusals.filter(isSame);
}

/** What is missing is missing everywhere: it is the same only in what was there before; in another list others may have moved up. */
function hasPlaceFor(path: ArgumentPath, then: JsonObject, now: JsonObject): boolean {
  return path.every((_, depth) => {
    const above = path.slice(0, depth);
    const [before, after] = [valueAt(then, above), valueAt(now, above)];
    return Array.isArray(before) ? Array.isArray(after) && before.length === after.length : isJsonObject(after);
  });
}
