import { useEffect, useState } from 'preact/hooks';

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
