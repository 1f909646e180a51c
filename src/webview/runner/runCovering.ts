import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { parsedObject } from '../../base/json.ts';
import { type Arming, useArming } from '../question/arming.ts';
import { type Reading, useReading } from '../question/reading.tsx';

/** What Run would cover, when these arguments are the ones in the form and all of them are on the screen; otherwise undefined. */
export type RunInView = (args: string) => { readonly text: string; readonly definition: string } | undefined;

export interface CoveringPlaces {
  /** The element with all that Run covers: the definition above the form, and the arguments in it. */
  readonly page: RefObject<HTMLElement | null>;
  /** Is told what stands in the form, for “Run again”. */
  readonly inView: { current: RunInView };
  readonly form: RefObject<HTMLFormElement | null>;
  readonly args: RefObject<HTMLElement | null>;
}

export interface Covering {
  /** Names what Run covers: a definition and arguments. */
  readonly what: string;
  readonly arming: Arming;
  /** Whether a press of Run counts now. */
  readonly isReady: boolean;
  /** What was not in view yet; undefined where Run covers nothing. */
  readonly more: { readonly reading: Reading; readonly onGoOn: () => void } | undefined;
  /** Runs if the press counts, with the definition that it covers; otherwise it leads to what is still to be seen. */
  readonly press: (event: Event, run: (definition?: string) => void) => void;
}

/**
 * Run is the permission for the definition and the arguments that are shown, so it is armed like Allow: all of them were in view, and
 * nothing has moved or changed for a moment. Where the person is asked in any case, there is nothing to arm.
 */
export function useCovering(places: CoveringPlaces, definition: string | undefined, text: string, isBusy: boolean): Covering {
  const what = `${definition} ${text}`;
  // Earlier runs move when one is added: what is run again is what was aimed at.
  const arming = useArming(places.form, `${isBusy} ${what}`);
  const { reading, goOn } = useReading(places.page, what);
  const isWhole = arming.isArmed && reading.kind === 'whole';
  useLayoutEffect(() => {
    places.inView.current = (wanted) =>
      definition !== undefined && isWhole && isSameJson(text, wanted) && isOnScreen(places.args.current) ? { text, definition } : undefined;
  });
  return {
    what,
    arming,
    isReady: definition === undefined || isWhole,
    more: definition === undefined ? undefined : { reading, onGoOn: goOn },
    press: (event, run) => {
      if (definition === undefined) {
        run();
      } else if (isWhole && arming.takes(event)) {
        run(definition);
      } else {
        goOn();
      }
    },
  };
}

/** Whether two JSON texts say the same, member for member. */
function isSameJson(one: string, other: string): boolean {
  const [first, second] = [parsedObject(one), parsedObject(other)];
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

function isOnScreen(element: HTMLElement | null): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
}
