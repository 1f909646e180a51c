import { useCallback, useEffect, useState } from 'preact/hooks';

/** A flag that goes back by itself: "Copied", "Answer sent". */
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
