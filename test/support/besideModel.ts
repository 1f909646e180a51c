import fc from 'fast-check';

type Command<Model extends object, Real extends object> = fc.AsyncCommand<Model, Real>;
type Change<Model, Real> = (model: Model, real: Real) => Promise<void> | void;

/** Makes commands that change the model and the real part alike. After each of them `compare` throws where the two differ. */
export function commandsOf<Model extends object, Real extends object>(
  compare: Change<Model, Real>,
): (name: string, change: Change<Model, Real>, isPossible?: (model: Model) => boolean) => Command<Model, Real> {
  return (name, change, isPossible = () => true) => ({
    check: isPossible,
    toString: () => name,
    run: async (model, real) => {
      await change(model, real);
      await compare(model, real);
    },
  });
}

/** A part at its beginning, with a model of it that is simple enough to be right. */
export interface Pair<Model extends object, Real extends object> {
  readonly model: Model;
  readonly real: Real;
  readonly end: () => Promise<void> | void;
}

/** Runs many sequences of commands, the same ones each time, each on a pair of its own. */
export async function runBesideModel<Model extends object, Real extends object>(
  steps: readonly fc.Arbitrary<Command<Model, Real>>[],
  begin: () => Pair<Model, Real> | Promise<Pair<Model, Real>>,
  numRuns = 100,
): Promise<void> {
  const commands = fc.commands<Model, Real, false>([...steps], { maxCommands: 25 });
  const property = fc.asyncProperty(commands, async (chosen) => {
    const { model, real, end } = await begin();
    try {
      await fc.asyncModelRun(() => ({ model, real }), chosen);
    } finally {
      await end();
    }
  });
  await fc.assert(property, { numRuns, seed: 33 });
}
