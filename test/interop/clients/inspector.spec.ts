import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { ensureNewNode, ensurePeer, ensurePeerProgram } from '../../support/peers/peers.mjs';
import { childEnvironment } from '../../support/run/childEnvironment.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { useWorkbench } from '../../ui/harness/useWorkbench.ts';
import { allowEverything, type AttentivePerson } from '../../ui/pages/attentivePerson.ts';
import { readDiscovery } from '../../ui/pages/discovery.ts';

const installMs = 240_000;

describe('The Inspector’s command line', () => {
  const workbench = useWorkbench({ version: 'floor' });
  let window: DiscoveryFile;
  let person: AttentivePerson;
  let home: string;
  let run: (args: readonly string[]) => Promise<string>;

  before(async function () {
    this.timeout(installMs);
    await ensurePeer('inspector');
    const program = await ensurePeerProgram('inspector', '@modelcontextprotocol/inspector');
    const node = await ensureNewNode();
    home = createTemporaryFolder();
    run = async (args) =>
      (await promisify(execFile)(node, [program, '--cli', ...args], { env: childEnvironment({ HOME: home }), timeout: 60_000 })).stdout;
    await workbench().openView('Duplex');
    window = await readDiscovery(workbench().folders.home);
    person = allowEverything(workbench());
  });
  after(async () => {
    await person.stop();
    await removeTemporaryFolder(home);
  });

  for (const [era, transport] of [
    ['legacy', 'http'],
    ['modern', 'http'],
    ['legacy', 'sse'],
  ] as const) {
    describe(`in the ${era} era over ${transport}`, () => {
      const ask = async (...args: string[]): Promise<unknown> => {
        const url = transport === 'sse' ? window.urls.sse : window.urls.mcp;
        const header = `Authorization: Bearer ${window.token}`;
        const common = [
          '--server-url',
          url,
          '--transport',
          transport,
          '--header',
          header,
          '--protocol-era',
          era,
          '--stored-auth-only',
          '--format',
          'json',
          '--quiet',
        ];
        return JSON.parse(await run([...common, ...args]));
      };

      it('finds no fault with the schemas of the tools', async () => {
        const listed = JSON.stringify(await ask('--method', 'tools/list', '--strict'));
        assert.match(listed, /"get_diagnostics"/);
      });

      it('calls a tool, reads a resource and gets a prompt', async () => {
        assert.match(JSON.stringify(await ask('--method', 'tools/call', '--tool-name', 'list_workspace_folders')), /demo/);
        assert.match(JSON.stringify(await ask('--method', 'resources/read', '--uri', 'workspace://folders')), /demo/);
        const prompt = await ask('--method', 'prompts/get', '--prompt-name', 'fix_diagnostics', '--prompt-args', 'path=src/receipt.ts');
        assert.match(JSON.stringify(prompt), /receipt\.ts/);
      });
    });
  }
});
