import { abortError, atMost } from './abort.ts';
import type { Event } from './events.ts';
import { type Disposable, DisposableStore, toDisposable } from './lifecycle.ts';

/** A Late value is made when it is first wanted: once, and again after a failure. */
export class Late<T> {
  readonly #make: () => Promise<T>;
  #making: Promise<T> | undefined;
  #made: { readonly value: T } | undefined;
  /** Uses of a thing that is not there yet. */
  readonly #waiting = new Set<(value: T) => void>();

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** The value, once it is made. */
  get made(): T | undefined {
    return this.#made?.value;
  }

  get(): Promise<T> {
    this.#making ??= this.#start();
    return this.#making;
  }

  /** Uses what is made: at once, or as soon as it is there. It is not made for this. */
  whenMade(use: (made: T) => void): Disposable {
    if (this.#made !== undefined) {
      use(this.#made.value);
      return { dispose: () => undefined };
    }
    this.#waiting.add(use);
    return toDisposable(() => this.#waiting.delete(use));
  }

  /** An event of what is made: whoever listens before it is there hears it from then on. */
  event<E>(eventOf: (made: T) => Event<E>): Event<E> {
    return (listener) => {
      const listening = new DisposableStore();
      listening.add(this.whenMade((made) => void listening.add(eventOf(made)(listener))));
      return listening;
    };
  }

  async #start(): Promise<T> {
    try {
      const value = await this.#make();
      this.#made = { value };
      this.#waiting.forEach((use) => use(value));
      this.#waiting.clear();
      return value;
    } catch (error) {
      this.#making = undefined;
      throw error;
    }
  }
}

type LateMethods<T, Name extends keyof T> = {
  readonly [N in Name]: T[N] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Awaited<Result>> : never;
};

/** Some methods of a thing that is made late: there at once, and each call waits for the thing. */
export function lateMethods<T, Name extends keyof T>(late: Late<T>, names: readonly Name[]): LateMethods<T, Name> {
  const call =
    (name: Name) =>
    async (...args: readonly unknown[]): Promise<unknown> =>
      ((await late.get()) as Record<Name, (...given: readonly unknown[]) => unknown>)[name](...args);
  return Object.fromEntries(names.map((name) => [name, call(name)])) as LateMethods<T, Name>;
}

/** A part of the program with a beginning and an end. */
export interface Part extends Disposable {
  start(): Promise<void>;
  /** Ends what needs time to end, also of a part that has not started. Calling it twice is harmless. */
  stop(): Promise<void>;
}

/** How long, in ms, a part that could not start may take to stop before the next attempt. */
const maxStopMs = 10_000;

/** A LaterPart makes and starts a part when it is first wanted: once, again after a failure, and never after the end. */
export class LaterPart<T extends Part> implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #started: Late<T>;
  #begun: T | undefined;
  #isOver = false;

  constructor(create: () => Promise<T>) {
    this.#started = new Late(() => this.#begin(create));
  }

  get(): Promise<T> {
    return this.#started.get();
  }

  /** Stops the part, also while it is still starting. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#begun?.stop();
  }

  dispose(): void {
    this.#isOver = true;
    this.#lifetime.dispose();
  }

  async #begin(create: () => Promise<T>): Promise<T> {
    this.#requireTime();
    const part = await create();
    try {
      this.#requireTime();
      this.#begun = this.#lifetime.add(part);
      await part.start();
      return part;
    } catch (error) {
      // The next attempt opens the same files, so this one has to write first what it has not written yet.
      await Promise.allSettled([atMost(part.stop(), maxStopMs)]);
      this.#begun = undefined;
      this.#lifetime.release(part);
      part.dispose();
      throw error;
    }
  }

  #requireTime(): void {
    if (this.#isOver) {
      throw abortError();
    }
  }
}

/** Returns a function that makes a value at its first call and returns the same one from then on. Loading the code makes nothing yet. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
