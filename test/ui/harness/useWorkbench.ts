import { keepEvidence } from './evidence.ts';
import type { LaunchOptions } from './launchOptions.ts';
import { Workbench } from './workbench.ts';

const sharedBySuite = new Set<Workbench>();

/**
 * One workbench for all tests of the surrounding `describe`. It is launched before the first test; the function returned
 * gives it to a test.
 */
export function useWorkbench(options: LaunchOptions = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before(async function () {
    workbench = await launchWithEvidence(this.currentTest?.fullTitle() ?? 'launch', options);
    sharedBySuite.add(workbench);
  });
  after(async () => {
    if (workbench !== undefined) {
      sharedBySuite.delete(workbench);
      await workbench.dispose();
    }
  });
  return () => {
    if (workbench === undefined) {
      throw new Error('The workbench exists only while tests run.');
    }
    return workbench;
  };
}

/** A workbench for the running test alone; it is disposed after the test, when a failure has left its evidence. */
export async function launchWorkbench(options: LaunchOptions = {}): Promise<Workbench> {
  return launchWithEvidence('launch', options);
}

async function launchWithEvidence(title: string, options: LaunchOptions): Promise<Workbench> {
  const openBefore = new Set(Workbench.open);
  try {
    return await Workbench.launch(options);
  } catch (error) {
    const halfOpen = [...Workbench.open].filter((each) => !openBefore.has(each));
    await keepEvidence(title, halfOpen);
    await Promise.all(halfOpen.map((each) => each.dispose()));
    throw error;
  }
}

// Outside any describe, so that it belongs to every test of every file that uses a workbench.
afterEach(async function () {
  if (this.currentTest?.state === 'failed') {
    await keepEvidence(this.currentTest.fullTitle(), Workbench.open);
  }
  const ofThisTest = [...Workbench.open].filter((each) => !sharedBySuite.has(each));
  await Promise.all(ofThisTest.map((each) => each.dispose()));
});
