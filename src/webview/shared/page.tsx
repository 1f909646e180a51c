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
import { loadBundle } from './localize.ts';

/** A page that draws what the host sent last; before that, nothing is known. */
export function startPage<Message>(
  link: { listen(listener: (message: Message) => void): void },
  sayReady: () => void,
  draw: (message: Message | undefined) => ComponentChild,
): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  loadBundle(document.getElementById('l10n')?.textContent);
  const drawPage = openPageRoot(root);
  const show = (message?: Message): void => drawPage(draw(message));
  show();
  link.listen(show);
  sayReady();
}

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

/** Code of a page that is not needed for its first drawing: it comes when it is first used, or when the page has time. */
export class PagePart<T> {
  readonly #bring: () => Promise<T>;
  #loading: Promise<void> | undefined;
  #loaded: T | undefined;

  constructor(bring: () => Promise<T>) {
    this.#bring = bring;
  }

  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** Settles when there is nothing more to wait for; what failed to load is tried again the next time it is needed. */
  load(): Promise<void> {
    this.#loading ??= this.#bring().then(
      (part) => {
        this.#loaded = part;
      },
      () => {
        this.#loading = undefined;
      },
    );
    return this.#loading;
  }
}

/** The part, once it is there: the component is drawn again then. */
export function usePart<T>(part: PagePart<T>): T | undefined {
  const [, setSeen] = useState(part.loaded !== undefined);
  useEffect(() => {
    if (part.loaded !== undefined) {
      setSeen(true);
      return undefined;
    }
    let isThere = true;
    void part.load().then(() => isThere && setSeen(part.loaded !== undefined));
    return () => {
      isThere = false;
    };
  }, [part]);
  return part.loaded;
}

/** Draws again only when a property is another one: what has finished streaming keeps its DOM. */
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
