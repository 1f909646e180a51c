/** With `$ref` and alternatives a small schema can repeat a large part of itself in every field. */
const maxFormFields = 3_000;
/** Of all texts of a form. */
const maxFormLength = 500_000;

/** How large a form may become. */
export class FormBudget {
  readonly #known = new Map<object, number>();
  #fields = maxFormFields;
  #characters = maxFormLength;

  /** It is larger than anybody can read. */
  get isSpent(): boolean {
    return this.#characters < 0;
  }

  /** Whether there is room for a field with a control of its own. */
  takeField(): boolean {
    this.#fields -= 1;
    return this.#fields >= 0 && !this.isSpent;
  }

  take(...values: readonly unknown[]): void {
    for (const value of values) {
      this.#characters -= this.#sizeOf(value);
    }
  }

  #sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? value.length : 5;
    }
    const size = this.#known.get(value) ?? JSON.stringify(value).length;
    this.#known.set(value, size);
    return size;
  }
}
