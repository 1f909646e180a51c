import { targets } from '../support/fuzz/targets.ts';

/** `npm run fuzz` has far more cases, and new ones each time. */
const cases = 150;
const seed = 20_261_117;

describe('Whatever others write, it holds for', function () {
  this.timeout(60_000);
  for (const { name, run } of targets) {
    it(name, () => run(cases, seed));
  }
});
