import { ensureNewNode, ensurePeerProgram } from '../../support/peers/peers.mjs';
import { runProcess } from '../../support/run/runProcess.mjs';
import type { OfferedServersPort } from '../../../src/server/offer/offered/offeredPort.ts';
import { readSummary, type Revision, type SuiteResult } from './suiteResult.ts';
import { startFixtureServer } from './server/fixtureServer.ts';

const suiteMs = 300_000;

/** Runs the server requirements of a revision, or one scenario, against Duplex's listener and transports. */
export function runServerSuite(revision: Revision, scenario?: string): Promise<SuiteResult> {
  return run(scenario === undefined ? ['--requirements', revision] : ['--scenario', scenario, '--spec-version', revision, '--verbose']);
}

/** The same, with servers that are offered to the suite beside what it asks for. */
export function runServerSuiteWith(offered: OfferedServersPort, revision: Revision): Promise<SuiteResult> {
  return run(['--requirements', revision], offered);
}

/** For revisions that have no requirements yet: every scenario the suite has for them. */
export function runWholeServerSuite(revision: string): Promise<SuiteResult> {
  return run(['--suite', 'all', '--spec-version', revision]);
}

async function run(selection: readonly string[], offered?: OfferedServersPort): Promise<SuiteResult> {
  const [node, suite, server] = await Promise.all([
    ensureNewNode(),
    ensurePeerProgram('conformance', '@modelcontextprotocol/conformance'),
    startFixtureServer(offered),
  ]);
  try {
    const { output } = await runProcess(node, [suite, 'server', '--url', server.url, ...selection], {
      env: { NODE_NO_WARNINGS: '1' },
      timeoutMilliseconds: suiteMs,
      output: 'capture',
    });
    return readSummary(output);
  } finally {
    await server.close();
  }
}
