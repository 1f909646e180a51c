import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { releaseMark } from './releaseMarks.mjs';
import { repositoryRoot } from './repository.mjs';

const support = path.join(repositoryRoot, 'test', 'support');

/** @typedef {keyof typeof kindTable} TestKind */

/**
 * @typedef {object} KindPlan
 * @property {'test' | 'release'} set `npm test` or `npm run test:release`
 * @property {string} folder relative to the repository
 * @property {string} fileEnd
 * @property {'nothing' | 'build' | 'package'} needs what must be made before
 * @property {number} deadlineMinutes for each process of the kind
 * @property {number} testSeconds for each test
 * @property {number} usualSeconds for all files of the kind: the longest begin first
 * @property {number} lanes how much of the machine each of its processes takes
 */

/** Tests of what takes long and rarely breaks: a release is tested with them, an everyday change is not. */
const longEnd = '.long.test.ts';
const longPageEnd = '.long.spec.ts';

/** What each kind proves stands in test/README.md. */
const kindTable = {
  // These wait most of the time: for processes and sockets that are slow to answer, and for answers to stand still.
  unit: plan('test', 'test/unit', '.test.ts', 'nothing', 20, 20, 600, 0.33),
  interop: plan('test', 'test/interop', '.test.ts', 'build', 20, 30, 150, 0.33),
  security: plan('test', 'test/security', '.test.ts', 'build', 20, 30, 200, 0.33),
  page: plan('test', 'test/page', '.spec.ts', 'build', 10, 30, 360, 0.33),
  editor: plan('test', 'test/editor', '.test.ts', 'build', 20, 90, 420, 1),
  ui: plan('test', 'test/ui/specs', '.spec.ts', 'package', 20, 120, 340, 1),
  long: plan('release', 'test', longEnd, 'build', 20, 30, 800, 0.5),
  pageLong: plan('release', 'test/page', longPageEnd, 'build', 10, 30, 240, 1),
  editorLong: plan('release', 'test/editor', longEnd, 'build', 20, 90, 830, 1),
  editorOldest: plan('release', 'test/editor', '.test.ts', 'build', 20, 90, 300, 1),
  clients: plan('release', 'test/interop/clients', '.spec.ts', 'package', 20, 120, 230, 1),
  uiRelease: plan('release', 'test/ui/release', '.spec.ts', 'package', 45, 120, 2800, 1),
};

/** @type {Readonly<Record<TestKind, KindPlan>>} */
export const kindPlans = kindTable;

export const testKinds = /** @type {readonly TestKind[]} */ (Object.keys(kindTable));

/**
 * @param {KindPlan['set']} set
 * @param {string} folder
 * @param {string} fileEnd
 * @param {KindPlan['needs']} needs
 * @param {number} deadlineMinutes
 * @param {number} testSeconds
 * @param {number} usualSeconds
 * @param {number} lanes
 * @returns {KindPlan}
 */
function plan(set, folder, fileEnd, needs, deadlineMinutes, testSeconds, usualSeconds, lanes) {
  return { set, folder, fileEnd, needs, deadlineMinutes, testSeconds, usualSeconds, lanes };
}

/**
 * Editor tests of what Duplex itself decides, which VS Code only shows or does. A whole run of the release set has not got them:
 * the calls that they need are tested in the oldest VS Code by the other files. Whoever names such a file gets it in both.
 */
const newestOnly = ['reviews.test.ts', 'testRuns.test.ts'];

/**
 * @param {TestKind} kind
 * @returns {string[]} relative to the kind's folder, sorted
 */
export function findTestFiles(kind) {
  const { folder, fileEnd } = kindPlans[kind];
  const absolute = path.join(repositoryRoot, folder);
  const files = existsSync(absolute) ? readdirSync(absolute, { recursive: true, encoding: 'utf8' }) : [];
  return files.filter((file) => file.endsWith(fileEnd) && isOf(kind, file)).sort();
}

/**
 * @param {TestKind} kind
 * @param {string} file relative to the kind's folder
 */
function isOf(kind, file) {
  if (kind === 'long') {
    return !file.startsWith(`editor${path.sep}`);
  }
  return ['editorLong', 'editorOldest', 'pageLong'].includes(kind) || !(file.endsWith(longEnd) || file.endsWith(longPageEnd));
}

/**
 * What a run of all tests of a kind has.
 *
 * @param {TestKind} kind
 * @returns {string[]} relative to the kind's folder, sorted
 */
export function filesOfWholeRun(kind) {
  const files = findTestFiles(kind);
  if (kind === 'long' || kind === 'pageLong' || kind === 'editorLong') {
    return [...files, ...filesWithMarks(kind)].sort();
  }
  if (kind !== 'editorOldest') {
    return files;
  }
  if (!newestOnly.every((file) => files.includes(file))) {
    throw new Error(`A file of these is gone: ${newestOnly.join(', ')}.`);
  }
  return files.filter((file) => !newestOnly.includes(file) && !file.endsWith(longEnd));
}

/** The kinds of every day whose marked tests a kind of the release set runs. @type {Partial<Record<TestKind, readonly TestKind[]>>} */
const everydayKinds = { long: ['unit', 'interop', 'security'], pageLong: ['page'], editorLong: ['editor'] };

/**
 * @param {TestKind} kind
 * @returns {string[]} relative to the kind's folder
 */
function filesWithMarks(kind) {
  const absolute = (everydayKinds[kind] ?? []).flatMap((everyday) =>
    findTestFiles(everyday).map((file) => path.join(repositoryRoot, kindPlans[everyday].folder, file)),
  );
  const folder = path.join(repositoryRoot, kindPlans[kind].folder);
  return absolute.filter((file) => readFileSync(file, 'utf8').includes(releaseMark)).map((file) => path.relative(folder, file));
}

/**
 * Which of the tests in its files a whole run of a kind has.
 *
 * @param {TestKind} kind
 * @returns {'only' | 'without'}
 */
export function marksOfWholeRun(kind) {
  return kind in everydayKinds ? 'only' : 'without';
}

/**
 * @typedef {object} KindProcess
 * @property {string} label
 * @property {readonly string[]} nodeArguments
 * @property {number} usualSeconds
 */

/**
 * The processes that run the tests of a kind: one, but tests in pages and windows, and those that take long, are dealt out to two.
 *
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @param {string} grep
 * @returns {KindProcess[]}
 */
export function kindProcesses(kind, files, grep) {
  const { usualSeconds } = kindPlans[kind];
  if (kind === 'editor' || kind === 'editorLong' || kind === 'editorOldest') {
    const choice = chosenVscode(kind);
    const runner = path.join(support, 'editor', 'runEditorTests.mjs');
    return choice === undefined ? [] : [{ label: kind, nodeArguments: [runner, kind, choice, grep, ...files], usualSeconds }];
  }
  const parts = ['page', 'ui', 'long', 'uiRelease'].includes(kind) && files.length > 4 ? dealOut(kind, files) : [files];
  return parts.map((part, index) => ({
    label: parts.length === 1 ? kind : `${kind} ${index + 1}`,
    nodeArguments: mochaArguments(kind, part, grep),
    usualSeconds: usualSeconds / parts.length,
  }));
}

/**
 * An installed VS Code, where DUPLEX_VSCODE names one, is neither the newest nor the oldest: it is tested once.
 *
 * @param {'editor' | 'editorLong' | 'editorOldest'} kind
 */
function chosenVscode(kind) {
  const wish = process.env['DUPLEX_VSCODE'] ?? '';
  if (wish === '' || wish === 'download') {
    return kind === 'editorOldest' ? 'floor' : 'ceiling';
  }
  return kind === 'editorOldest' ? undefined : 'installed';
}

/** What a window costs before its first test, in characters of a test file. */
const windowCharacters = 10_000;

/**
 * In two parts of about the same size. Files that share a window stay together, one after the other.
 *
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @returns {string[][]}
 */
function dealOut(kind, files) {
  /** @type {Map<string, { files: string[], size: number }>} */
  const groups = new Map();
  for (const file of files) {
    const text = readFileSync(path.join(repositoryRoot, kindPlans[kind].folder, file), 'utf8');
    const window = /\buse\w+Workbench\(\w*\)/.exec(text)?.[0] ?? file;
    const group = groups.get(window) ?? { files: [], size: windowCharacters };
    group.files.push(file);
    group.size += text.length;
    groups.set(window, group);
  }
  const parts = [1, 2].map(() => ({ files: /** @type {string[]} */ ([]), size: 0 }));
  for (const group of [...groups.values()].sort((one, other) => other.size - one.size)) {
    const smallest = parts.reduce((one, other) => (other.size < one.size ? other : one));
    smallest.files.push(...group.files);
    smallest.size += group.size;
  }
  return parts.map((part) => part.files).filter((part) => part.length > 0);
}

/**
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @param {string} grep
 * @returns {string[]}
 */
function mochaArguments(kind, files, grep) {
  const { folder, testSeconds } = kindPlans[kind];
  const absolute = files.map((file) => path.join(repositoryRoot, folder, file));
  const runner = path.join(support, 'run', 'mochaProcess.mjs');
  // The browser of pages and windows lives as long as their process.
  const leaks = usesBrowser(kind) ? 'mayLeak' : 'checkLeaks';
  return ['--import', 'tsx', runner, leaks, String(testSeconds * 1000), grep, ...absolute];
}

/** @param {TestKind} kind */
export function usesBrowser(kind) {
  return !['unit', 'interop', 'security', 'long'].includes(kind);
}
