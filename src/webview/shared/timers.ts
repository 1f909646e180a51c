import { useCallback, useEffect, useState } from 'preact/hooks';

/** Counts the milliseconds while something runs, in whole seconds; the host sends the exact time at the end. */
export function useElapsed(isRunning: boolean): number | undefined {
  const [elapsed, setElapsed] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (!isRunning) {
      return undefined;
    }
    const since = performance.now();
    const timer = setInterval(() => setElapsed(Math.round((performance.now() - since) / 1000) * 1000), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return elapsed;
}

/** A flag that resets itself after a while, as for "Copied" and "Answer sent". */
export function useExpiring(milliseconds: number): readonly [boolean, () => void] {
  const [since, setSince] = useState(0);
  useEffect(() => {
    if (since === 0) {
      return undefined;
    }
    const timer = setTimeout(() => setSince(0), milliseconds);
    return () => clearTimeout(timer);
  }, [since, milliseconds]);
  return [since !== 0, useCallback(() => setSince(performance.now()), [])];
}
