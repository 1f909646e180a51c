import assert from 'node:assert/strict';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { readPasted } from '../../src/definitions/pasted/readPasted.ts';
import { fetchedPackage } from '../../src/languageServer/checks/checkCommand.ts';
import { readmeConfigurations, type ReadmeConfiguration } from '../fixtures/readmeConfigurations.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, type TestHost } from '../unit/host/support.ts';

/** The definition with the package that is installed here instead of one that would be fetched, and a folder that there is for each placeholder. */
function installed(definition: JsonObject, folder: string): JsonObject {
  const { command, args, ...others } = definition;
  const texts = Array.isArray(args) ? args.map(String) : [];
  const fetched = fetchedPackage(typeof command === 'string' ? command : '', texts);
  assert.ok(fetched, JSON.stringify(definition));
  const program = path.join(repositoryRoot, 'node_modules', fetched.name, 'dist/index.js');
  const rest = texts.slice(fetched.index + 1).map((text) => (/^\/(?:Users|path)\//.test(text) ? folder : text));
  return { ...others, command: 'node', args: [program, ...rest] };
}

describe('Servers as public READMEs configure them', () => {
  const folder = createTemporaryFolder();
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost({ folder });
  });
  afterEach(() => host.close());

  const startable = readmeConfigurations.filter((each): each is ReadmeConfiguration & { program: string } => each.program !== undefined);

  for (const { from, document, program } of startable) {
    it(`start and offer tools: ${from}`, async () => {
      const pasted = readPasted(JSON.stringify(document));
      assert.ok(pasted.kind === 'servers');
      const [server] = pasted.servers;
      assert.ok(server !== undefined && isJsonObject(server.definition));
      const name = server.name ?? program;
      await host.configure({ [name]: installed(server.definition, folder) });
      const state = await host.registry.start(host.server(name).id, { ask: host.ask, signal: new AbortController().signal });
      assert.equal(state.kind, 'ready', JSON.stringify(state));
      assert.ok(host.server(name).tools.length > 0);
    });
  }
});
