import fc from 'fast-check';

/** A part that reads what others write, and what must hold whatever that is. */
export interface Target {
  readonly name: string;
  readonly run: (cases: number, seed: number) => Promise<void>;
}

/** `check` throws where something does not hold. */
export function target<T>(name: string, input: fc.Arbitrary<T>, check: (value: T) => void | Promise<void>): Target {
  return {
    name,
    run: async (numRuns, seed) => {
      const property = fc.asyncProperty(input, async (value) => {
        await check(value);
      });
      await fc.assert(property, { numRuns, seed });
    },
  };
}
