import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensurePeerProgram } from '../support/peers/peers.mjs';
import { childEnvironment } from '../support/run/childEnvironment.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

/** Installing takes longer than a test may. */
const installMs = 180_000;
const session = '@duplex';

/** A client for the command line, whose maker had a part in the extension for skills; this version of it reads them as resources. */
describe('Apify’s mcpc, as a client of the embedded server', function () {
  this.timeout(60_000);
  let running: RunningServer;
  let home: string;
  let ask: (...args: string[]) => Promise<string>;

  before(async function () {
    this.timeout(installMs);
    const program = await ensurePeerProgram('mcpc', '@apify/mcpc');
    home = createTemporaryFolder();
    const env = childEnvironment({ HOME: home, MCPC_HOME_DIR: home });
    ask = async (...args) => (await promisify(execFile)(process.execPath, [program, '--json', ...args], { env, timeout: 30_000 })).stdout;
    running = await runServer();
    await ask('connect', `http://127.0.0.1:${running.port}/mcp`, session, '--header', `Authorization: Bearer ${running.token}`);
  });
  after(async () => {
    try {
      await ask('close', session);
    } finally {
      await running.close();
      await removeTemporaryFolder(home);
    }
  });

  it('lists the tools, and calls one', async () => {
    const tools = JSON.parse(await ask(session, 'tools-list')) as { name: string }[];
    assert.ok(tools.some(({ name }) => name === 'get_diagnostics'));
    assert.match(await ask(session, 'tools-call', 'list_workspace_folders', '{}'), /"folders"/);
  });

  it('reads a resource', async () => {
    const resources = JSON.parse(await ask(session, 'resources-list')) as { uri: string }[];
    assert.ok(resources.some(({ uri }) => uri === 'workspace://folders'));
    assert.match(await ask(session, 'resources-read', 'workspace://folders'), /folders/);
  });

  it('finds the skills, and reads each with its head', async () => {
    const resources = JSON.parse(await ask(session, 'resources-list')) as { uri: string; name: string; description: string }[];
    const skills = resources.filter(({ uri }) => uri.startsWith('skill://duplex/'));
    assert.deepEqual(
      skills.map(({ name }) => name).filter((name) => name !== 'debug'),
      ['fix-problems', 'review-changes', 'test-first'],
    );
    for (const { uri, name, description } of skills) {
      const { contents } = JSON.parse(await ask(session, 'resources-read', uri)) as { contents: { text: string }[] };
      assert.ok(contents[0]?.text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`));
    }
  });
});
