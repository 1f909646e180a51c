import type { Late } from '../../base/late.ts';
import {
  Component,
  type ComponentChild,
  type ComponentChildren,
  createElement,
  type FunctionComponent,
  type JSX,
  options,
  render,
} from 'preact';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { FocusKeeper } from './focusKeeper.ts';
import { loadBundle } from './localize.ts';

/**
 * Starts a page that draws what the host sent last; the first drawing, before any message, gets `undefined`. Where a drawing takes away
 * what had the focus, that goes to what stood beside it, or else to the search box of the page or its heading.
 */
export function startPage<Message>(
  link: { listen(listener: (message: Message) => void): void },
  sayReady: () => void,
  draw: (message: Message | undefined) => ComponentChild,
): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  loadBundle(document.getElementById('l10n')?.textContent, document.documentElement.lang);
  const focus = new FocusKeeper({ home: () => root.querySelector<HTMLElement>('input[type="search"]') ?? root.querySelector('h1') });
  // The page also draws itself, as when a filter is chosen.
  new MutationObserver((changes) => focus.keep([], changes)).observe(root, { childList: true, subtree: true });
  root.addEventListener('keydown', ignoreHeldKey, { capture: true });
  const drawPage = openPageRoot(root);
  const show = (message?: Message): void => drawPage(draw(message));
  show();
  link.listen(show);
  sayReady();
}

/** A key that is held down presses one button, and not the next one too, to which the focus went when the first was gone. */
function ignoreHeldKey(event: KeyboardEvent): void {
  const isPress = event.key === 'Enter' || event.key === ' ';
  if (isPress && event.repeat && event.target instanceof Element && event.target.closest('button, a[href]') !== null) {
    event.preventDefault();
  }
}

/**
 * Returns the function that draws a page, as often as it is called; what is drawn is there when the call returns. It does not
 * call `render` each time: from the third time on Preact counts the ids of `useId` from the start, and a label would name the
 * field of another question.
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

/** Makes Preact draw at once instead of later, so that whoever moves the focus after a drawing finds the new elements. */
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

/** Returns code that a page does not need for its first drawing, once it is loaded; the component is drawn again then. */
export function usePart<T>(part: Late<T>): T | undefined {
  const [, setSeen] = useState(part.made !== undefined);
  useEffect(() => {
    if (part.made !== undefined) {
      setSeen(true);
      return undefined;
    }
    let isThere = true;
    const look = (): void => {
      if (isThere) {
        setSeen(part.made !== undefined);
      }
    };
    // Code that failed to load is loaded again the next time somebody needs it.
    part.get().then(look, look);
    return () => {
      isThere = false;
    };
  }, [part]);
  return part.made;
}

/** Makes a component that is drawn again only when a property changed: what has finished streaming keeps its DOM. */
export function pure<P extends object>(
  draw: FunctionComponent<P>,
  isSame: (before: P, after: P) => boolean = hasSameProperties,
): FunctionComponent<P> {
  class Pure extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isSame(this.props, next);
    }

    override render(): ComponentChildren {
      return createElement(draw, this.props);
    }
  }
  return (props) => createElement(Pure, props);
}

function hasSameProperties<P extends object>(before: P, after: P): boolean {
  const [one, other] = [Object.entries(before), new Map(Object.entries(after))];
  return one.length === other.size && one.every(([name, value]) => other.has(name) && Object.is(value, other.get(name)));
}
