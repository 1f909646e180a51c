import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Drawn with the page; the others follow when it has time, the newest first. */
const groupsAtFirst = 2;
/** A long conversation may not hold up the page: this much drawing at once, and then it is the person's turn. */
const maxStepMs = 24;
const maxGroupsPerStep = 16;
const maxIdleWaitMs = 200;

/**
 * The first group that is drawn. It becomes the first of all in steps; what is on the page stays where it is, also for somebody
 * who has scrolled to its beginning meanwhile, where the browser would not hold it.
 */
export function useEarlier(groupCount: number, scroller: RefObject<HTMLElement | null>): number {
  const newest = Math.max(0, groupCount - groupsAtFirst);
  const first = useRef(newest);
  const [, setDrawn] = useState(newest);
  const step = useRef({ groups: 1, since: 0, height: 0 });
  const known = useRef(groupCount);
  // A whole conversation at once, and not a message more.
  const isOther = groupCount > known.current + groupsAtFirst;
  known.current = groupCount;
  first.current = isOther ? newest : Math.min(first.current, newest);
  const from = first.current;

  useLayoutEffect(() => {
    const [frame, { since, height }] = [scroller.current, step.current];
    if (since === 0 || frame === null) {
      return;
    }
    if (frame.scrollTop < 1) {
      frame.scrollTop += frame.scrollHeight - height;
    }
    const took = performance.now() - since;
    step.current.groups = Math.max(1, Math.min(maxGroupsPerStep, Math.floor((step.current.groups * maxStepMs) / Math.max(1, took))));
    step.current.since = 0;
  }, [from, scroller]);

  useEffect(() => {
    if (from === 0) {
      return undefined;
    }
    const idle = requestIdleCallback(
      () => {
        step.current.height = scroller.current?.scrollHeight ?? 0;
        step.current.since = performance.now();
        first.current = Math.max(0, from - step.current.groups);
        setDrawn(first.current);
      },
      { timeout: maxIdleWaitMs },
    );
    return () => cancelIdleCallback(idle);
  }, [from, scroller]);
  return from;
}
