import { options, render, type ComponentChild, type JSX } from 'preact';
import { useReducer } from 'preact/hooks';

/**
 * What a page draws, again and again. Not by `render` each time: from the third on Preact counts the ids of `useId` from the start,
 * and a label would name the field of another question. What is drawn is there when the call is over.
 */
export function openPageRoot(place: HTMLElement): (content: ComponentChild) => void {
  let drawn: ComponentChild = null;
  let redraw: (() => void) | undefined;
  function Root(): JSX.Element {
    const [, count] = useReducer<number, void>((times) => times + 1, 0);
    redraw = () => count();
    return <>{drawn}</>;
  }
  return (content) => {
    drawn = content;
    if (redraw === undefined) {
      render(<Root />, place);
    } else {
      atOnce(redraw);
    }
  };
}

/** Preact would wait for the next turn; whoever moves the focus after a drawing could not. */
function atOnce(change: () => void): void {
  let draw: (() => void) | undefined;
  options.debounceRendering = (later) => (draw = later);
  try {
    change();
    draw?.();
  } finally {
    delete options.debounceRendering;
  }
}
