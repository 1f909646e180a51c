import { errorMaker, type ErrorTable } from '../base/errors.ts';

/** Why tests did not run. For clients and the models behind them, in English: people do not read these. */
const testRunsErrorTable = {
  'tests.badManifest': ({ reason }: { reason: string }) => `package.json could not be read: ${reason}`,
  'tests.noFilter': ({ task }: { task: string }) =>
    `The test task "${task}" takes no filter. Leave the filter out, or set duplex.tests.command.`,
  'tests.noFolder': () => 'No folder is open, so there are no tests to run.',
  'tests.nothingToRun': () =>
    'Nothing says how to run the tests here: there is no duplex.tests.command, no test task in tasks.json and no test script in package.json.',
  'tests.planChanged': () => 'What would run changed while the question was open. Call run_tests again to ask about the new command.',
  'tests.stopped': () => 'The window is closing.',
} as const satisfies ErrorTable;

export const testRunsError = errorMaker(testRunsErrorTable);
