import { keepEvidence } from './evidence.ts';
import type { LaunchOptions } from './launchOptions.ts';
import { defaultViewport, Workbench } from './workbench.ts';

const sharedBySuite = new Set<Workbench>();
/** How many will still ask for a window with these options. */
const takers = new Map<LaunchOptions, number>();
const handedOn = new Map<LaunchOptions, Workbench>();
const ending: Promise<unknown>[] = [];

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
  after(async function () {
    if (workbench !== undefined) {
      await keepEvidenceOfPreparation(this.test?.parent, workbench);
      letGo(workbench);
    }
  });
  return () => existing(workbench);
}

/**
 * The same, but one window serves every `describe` of this process that asks for it with the same options, one after the
 * other. Files of the workspace are as they were at first; who shares does not mind what else the others leave behind: new
 * files, clients that have gone, permissions. `reload` takes back what holds for a session. After a failure the next one gets
 * a new window.
 */
export function useSharedWorkbench(key: LaunchOptions): () => Workbench {
  const { viewport = defaultViewport } = key;
  takers.set(key, (takers.get(key) ?? 0) + 1);
  let workbench: Workbench | undefined;
  before(async function () {
    const left = handedOn.get(key);
    workbench = left ?? (await launchWithEvidence(this.currentTest?.fullTitle() ?? 'launch', key));
    handedOn.set(key, workbench);
    sharedBySuite.add(workbench);
    await workbench.page.setViewportSize(viewport);
    if (left !== undefined) {
      await workbench.tidyUp();
      await workbench.restoreWorkspace();
    }
  });
  after(async function () {
    const left = (takers.get(key) ?? 0) - 1;
    takers.set(key, left);
    if (workbench !== undefined && (left === 0 || !hasPassed(this.test?.parent))) {
      handedOn.delete(key);
      await keepEvidenceOfPreparation(this.test?.parent, workbench);
      letGo(workbench);
    }
  });
  return () => existing(workbench);
}

/** A workbench for the running test alone; it is disposed after the test, when a failure has left its evidence. */
export async function launchWorkbench(options: LaunchOptions = {}): Promise<Workbench> {
  return launchWithEvidence('launch', options);
}

function existing(workbench: Workbench | undefined): Workbench {
  if (workbench === undefined) {
    throw new Error('The workbench exists only while tests run.');
  }
  return workbench;
}

/** A window takes some seconds to end, in which the next one can begin. */
function letGo(workbench: Workbench): void {
  sharedBySuite.delete(workbench);
  // What goes wrong is told in the end, when all are waited for.
  ending.push(workbench.dispose().catch((error: unknown) => error));
}

/** When what prepares the tests fails, none of them runs, and nothing else would look at the window. */
async function keepEvidenceOfPreparation(suite: Mocha.Suite | undefined, workbench: Workbench): Promise<void> {
  if (suite !== undefined && suite.total() > 0 && !hasBegun(suite)) {
    await keepEvidence(`${suite.fullTitle()} before`, [workbench]);
  }
}

function hasBegun(suite: Mocha.Suite): boolean {
  return suite.tests.some((test) => test.state !== undefined || test.isPending()) || suite.suites.some(hasBegun);
}

function hasPassed(suite: Mocha.Suite | undefined): boolean {
  return suite !== undefined && suite.tests.every((test) => test.isPassed() || test.isPending()) && suite.suites.every(hasPassed);
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
  ofThisTest.forEach(letGo);
});

// What nobody took over in the end, because its tests were not chosen.
after(async () => {
  [...handedOn.values()].forEach(letGo);
  handedOn.clear();
  const troubles = (await Promise.all(ending)).filter((each) => each !== undefined);
  if (troubles.length > 0) {
    throw new AggregateError(troubles, `windows do not end: ${troubles.map(String).join('; ')}`);
  }
});
