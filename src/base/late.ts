/** Something that is made when it is first wanted: once, and anew when that failed. */
export class Late<T> {
  readonly #make: () => Promise<T>;
  #making: Promise<T> | undefined;
  #made: { readonly value: T } | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** Undefined as long as it is not there. */
  get made(): T | undefined {
    return this.#made?.value;
  }

  get(): Promise<T> {
    this.#making ??= this.#start();
    return this.#making;
  }

  async #start(): Promise<T> {
    try {
      const value = await this.#make();
      this.#made = { value };
      return value;
    } catch (error) {
      this.#making = undefined;
      throw error;
    }
  }
}
