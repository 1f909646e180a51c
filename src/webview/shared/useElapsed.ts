import { useEffect, useState } from 'preact/hooks';

/** Counts while something runs, from one second on; the host sends the exact time at the end. */
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
