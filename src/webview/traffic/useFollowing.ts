import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TrafficRow } from '../../contract/trafficMessages.ts';
import { rowHeight } from './trafficState.ts';

/** Who looks at the end sees what comes; who looks at something else keeps it in view, also when rows before it go. */
export function useFollowing(grid: RefObject<HTMLElement | null>, rows: readonly TrafficRow[], onMoved: () => void): () => void {
  const place = useRef<{ readonly anchor: number | undefined; readonly offset: number; readonly isAtEnd: boolean }>({
    anchor: undefined,
    offset: 0,
    isAtEnd: true,
  });
  useLayoutEffect(() => {
    const { current } = grid;
    if (current === null) {
      return;
    }
    const { anchor, offset, isAtEnd } = place.current;
    const index = rows.findIndex(({ number }) => number === anchor);
    if (isAtEnd) {
      current.scrollTop = current.scrollHeight;
    } else if (index >= 0) {
      current.scrollTop = index * rowHeight + offset;
    }
    onMoved();
  }, [rows]);
  return () => {
    const { current } = grid;
    if (current !== null) {
      const { scrollTop, clientHeight, scrollHeight } = current;
      const index = Math.floor(scrollTop / rowHeight);
      place.current = {
        anchor: rows[index]?.number,
        offset: scrollTop - index * rowHeight,
        isAtEnd: scrollTop + clientHeight >= scrollHeight - rowHeight / 2,
      };
      onMoved();
    }
  };
}
