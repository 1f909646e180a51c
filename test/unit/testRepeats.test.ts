import assert from 'node:assert/strict';
import Mocha from 'mocha';
import { repeatTests } from '../support/run/mochaRun.mjs';

describe('Tests that are repeated', () => {
  it('run round after round, each prepared anew, between one preparation of their suite and one end', async () => {
    const done: string[] = [];
    const note = (text: string) => (): void => void done.push(text);
    const mocha = new Mocha({ reporter: Mocha.reporters.Base });
    const suite = Mocha.Suite.create(mocha.suite, 'a suite');
    suite.beforeAll(note('prepared'));
    suite.beforeEach(note('each'));
    suite.addTest(new Mocha.Test('one', note('one')));
    const patient = new Mocha.Test('two', note('two'));
    suite.addTest(patient);
    patient.timeout(77_000);
    suite.afterAll(note('ended'));
    const inner = Mocha.Suite.create(suite, 'an inner suite');
    inner.addTest(new Mocha.Test('three', note('three')));

    repeatTests(mocha.suite, 2);

    assert.deepEqual([suite.tests.length, suite.tests.at(-1)?.timeout()], [4, 77_000]);
    const failures = await new Promise((resolve) => mocha.run(resolve));
    assert.equal(failures, 0);
    const round = ['each', 'one', 'each', 'two'];
    assert.deepEqual(done, ['prepared', ...round, ...round, 'each', 'three', 'each', 'three', 'ended']);
  });

  it('run once where nobody asks for more', () => {
    const { suite } = new Mocha();
    suite.addTest(new Mocha.Test('one', () => undefined));
    repeatTests(suite, 1);
    assert.equal(suite.tests.length, 1);
  });
});
