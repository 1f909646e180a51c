import assert from 'node:assert/strict';
import * as path from 'node:path';
import { createGateway, type GatewayBench } from '../../unit/host/offered/gatewayBench.ts';
import { repositoryRoot } from '../../unit/host/support.ts';
import { runServerSuiteWith } from './serverSuite.ts';

/** Installing the suite and running all its scenarios takes longer than a test may. */
const suiteMs = 360_000;
const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('The official conformance suite, with a server that is offered to it', () => {
  let bench: GatewayBench;
  before(async () => {
    bench = await createGateway();
    const { host, offers } = bench;
    await host.configure({ everything: { command: 'node', args: [everything, 'stdio'] } });
    const { id } = host.server('everything');
    await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    await host.registry.features(id).listed;
    await offers.offer(id);
    assert.ok(bench.offered.tools().length > 5 && bench.offered.content.resources().length > 0);
  });
  after(() => bench.close());

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    it(`finds nothing wrong in what it requires of servers at ${revision}`, async function () {
      this.timeout(suiteMs);
      const { required, output } = await runServerSuiteWith(bench.offered, revision);
      assert.ok(required.size > 20 && [...required.values()].every(Boolean), output);
    });
  }
});
