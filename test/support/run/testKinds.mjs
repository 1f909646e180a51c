import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { vscodeChoices } from '../vscode/versions.mjs';
import { repositoryRoot } from './repository.mjs';

const support = path.join(repositoryRoot, 'test', 'support');

/** @typedef {'unit' | 'editor' | 'ui' | 'interop' | 'security' | 'clients'} TestKind */

/**
 * @typedef {object} KindPlan
 * @property {string} folder relative to the repository
 * @property {string} fileEnd
 * @property {'nothing' | 'build' | 'package'} needs what must be made before
 * @property {number} deadlineMilliseconds for each process of the kind
 * @property {number} testMilliseconds for each test
 * @property {number} usualSeconds for all files of the kind, in one VS Code version
 * @property {number} lanes how much of the machine each of its processes takes
 */

/** @type {Readonly<Record<TestKind, KindPlan>>} */
export const kindPlans = {
  // These wait most of the time, for processes and sockets that are slow to answer.
  unit: plan('test/unit', '.test.ts', 'nothing', 20, 20, 230, 0.5),
  interop: plan('test/interop', '.test.ts', 'build', 20, 30, 120, 0.5),
  security: plan('test/security', '.test.ts', 'build', 20, 30, 75, 0.5),
  editor: plan('test/editor', '.test.ts', 'build', 20, 90, 300),
  // Other people's clients against the packaged extension in a real window.
  clients: plan('test/interop/clients', '.spec.ts', 'package', 20, 120, 130),
  ui: plan('test/ui/specs', '.spec.ts', 'package', 45, 120, 1500),
};

/** @type {readonly TestKind[]} */
export const testKinds = ['unit', 'interop', 'security', 'editor', 'clients', 'ui'];

/**
 * @param {string} folder
 * @param {string} fileEnd
 * @param {KindPlan['needs']} needs
 * @param {number} deadlineMinutes
 * @param {number} testSeconds
 * @param {number} usualSeconds
 * @param {number} lanes
 * @returns {KindPlan}
 */
function plan(folder, fileEnd, needs, deadlineMinutes, testSeconds, usualSeconds, lanes = 1) {
  return {
    folder,
    fileEnd,
    needs,
    deadlineMilliseconds: deadlineMinutes * 60_000,
    testMilliseconds: testSeconds * 1000,
    usualSeconds,
    lanes,
  };
}

/**
 * @param {TestKind} kind
 * @returns {string[]} relative to the kind's folder, sorted
 */
export function findTestFiles(kind) {
  const { folder, fileEnd } = kindPlans[kind];
  const absolute = path.join(repositoryRoot, folder);
  const files = existsSync(absolute) ? readdirSync(absolute, { recursive: true, encoding: 'utf8' }) : [];
  return files.filter((file) => file.endsWith(fileEnd)).sort();
}

/**
 * @typedef {object} KindProcess
 * @property {string} label
 * @property {readonly string[]} nodeArguments
 * @property {number} usualSeconds
 */

/**
 * Long editor tests of what Duplex itself decides, which VS Code only shows or does. A whole run has them in the newest VS Code
 * alone: the calls that they need are tested in the oldest one by the other files, and the reviews by the UI tests. Whoever
 * names such a file gets it in both.
 */
const newestOnly = ['leanAnswers.test.ts', 'reviewTroubles.test.ts', 'reviews.test.ts', 'testRuns.test.ts', 'unsavedRuns.test.ts'];

/**
 * @param {string} choice of VS Code
 * @param {readonly string[]} files
 */
function filesIn(choice, files) {
  const isWhole = files.length === findTestFiles('editor').length;
  if (isWhole && !newestOnly.every((file) => files.includes(file))) {
    throw new Error(`A file of these is gone: ${newestOnly.join(', ')}.`);
  }
  return isWhole && choice === 'floor' ? files.filter((file) => !newestOnly.includes(file)) : files;
}

/**
 * The processes that run the tests of a kind: editor tests need one for each version of VS Code, and UI tests are dealt
 * out to two.
 *
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @param {string} grep
 * @returns {KindProcess[]}
 */
export function kindProcesses(kind, files, grep) {
  const { usualSeconds } = kindPlans[kind];
  if (kind === 'editor') {
    const wish = process.env['DUPLEX_VSCODE'] ?? '';
    const choices = wish === '' || wish === 'download' ? vscodeChoices : ['installed'];
    return choices.map((choice) => ({
      label: `editor ${choice}`,
      nodeArguments: [path.join(support, 'editor', 'runEditorTests.mjs'), choice, grep, ...filesIn(choice, files)],
      usualSeconds: choice === 'floor' ? usualSeconds / 2 : usualSeconds,
    }));
  }
  const parts = kind === 'ui' && files.length > 4 ? dealOut(kind, files) : [files];
  return parts.map((part, index) => ({
    label: parts.length === 1 ? kind : `${kind} ${index + 1}`,
    nodeArguments: mochaArguments(kind, part, grep),
    usualSeconds: usualSeconds / parts.length,
  }));
}

/** What a window costs before its first test, in characters of a test file. */
const windowCharacters = 4_000;

/**
 * In two parts of about the same size. Files that share their windows stay together, one after the other.
 *
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @returns {string[][]}
 */
function dealOut(kind, files) {
  const texts = new Map(files.map((file) => [file, readFileSync(path.join(repositoryRoot, kindPlans[kind].folder, file), 'utf8')]));
  const isSharing = (/** @type {string} */ file) => texts.get(file)?.includes('useSharedWorkbench(') === true;
  const size = (/** @type {readonly string[]} */ part) =>
    part.reduce((sum, file) => sum + (texts.get(file)?.length ?? 0) + (isSharing(file) ? 0 : windowCharacters), 0);
  const parts = [files.filter(isSharing), /** @type {string[]} */ ([])];
  const others = files.filter((file) => !isSharing(file)).sort((one, other) => size([other]) - size([one]));
  for (const file of others) {
    parts.sort((one, other) => size(one) - size(other))[0]?.push(file);
  }
  return parts.filter((part) => part.length > 0);
}

/**
 * @param {TestKind} kind
 * @param {readonly string[]} files relative to the kind's folder
 * @param {string} grep
 * @returns {string[]}
 */
function mochaArguments(kind, files, grep) {
  const { folder, testMilliseconds } = kindPlans[kind];
  const absolute = files.map((file) => path.join(repositoryRoot, folder, file));
  const runner = path.join(support, 'run', 'mochaProcess.mjs');
  // The browser of the UI tests lives as long as their process.
  const leaks = kind === 'ui' || kind === 'clients' ? 'mayLeak' : 'checkLeaks';
  return ['--import', 'tsx', runner, leaks, String(testMilliseconds), grep, ...absolute];
}
