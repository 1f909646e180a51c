import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const armingDelay = 500;

/**
 * False until the buttons have been in view for a moment, and again whenever they come back into view or the set of
 * questions on the page changes: a click meant for something else, or for the card that was here before, allows nothing.
 */
export function useArming(buttons: RefObject<Element | null>, generation: string): boolean {
  const [armedFor, setArmedFor] = useState<string | undefined>(undefined);
  useEffect(() => {
    const element = buttons.current;
    if (element === null) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInView = false;
    const update = (): void => {
      if (isInView && document.visibilityState === 'visible') {
        timer ??= setTimeout(() => setArmedFor(generation), armingDelay);
      } else {
        clearTimeout(timer);
        timer = undefined;
        setArmedFor(undefined);
      }
    };
    const observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting ?? false;
      update();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
      clearTimeout(timer);
    };
  }, [buttons, generation]);
  return armedFor === generation;
}
