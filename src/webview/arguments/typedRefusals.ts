import { useEffect, useState } from 'preact/hooks';
import type { ArgumentRefusal } from '../../contract/argumentFields.ts';
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

/** What the whole schema says against what is typed. `isFit`: the form itself has nothing against it. */
export function useTypedRefusals(text: string, isFit: boolean, check: CheckArguments | undefined): readonly ArgumentRefusal[] {
  const [found, setFound] = useState<Found>({ text: '', refusals: [] });
  useEffect(() => {
    if (check === undefined || !isFit || text === found.text) {
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
  }, [text, isFit]);
  return isFit ? stillTrue(found, text) : [];
}

/** Until the next word comes, what was said of a value holds while the value is the same: nothing flickers at each key. */
export function stillTrue({ text: before, refusals }: Found, text: string): readonly ArgumentRefusal[] {
  if (before === text || refusals.length === 0) {
    return refusals;
  }
  const [then, now] = [parsedArguments(before), parsedArguments(text)];
  const isSame = ({ path }: ArgumentRefusal): boolean =>
    path.length > 0 && JSON.stringify(valueAt(then ?? {}, path)) === JSON.stringify(valueAt(now ?? {}, path));
  return refusals.filter(isSame);
}
