import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { JsonObject } from '../../src/base/json.ts';
import { toResultItems } from '../../src/host/tools/resultItems.ts';
import { childEnvironment } from '../support/run/childEnvironment.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const demo = path.join(repositoryRoot, 'test/fixtures/workspaces/demo');

describe('The demo workspace', () => {
  const folder = path.join(createTemporaryFolder(), 'demo');
  before(() => cp(demo, folder, { recursive: true }));

  it('has exactly one failing test, without installing anything', async () => {
    const output = await run(process.execPath, ['--test', '--test-reporter=tap']);
    assert.deepEqual(output.match(/^# (tests|pass|fail) \d+$/gm), ['# tests 5', '# pass 4', '# fail 1']);
    assert.match(output, /not ok \d+ - gives every third piece for free/);
  });

  it('has exactly one type error', async () => {
    const output = await run(process.execPath, [
      path.join(repositoryRoot, 'node_modules/typescript/bin/tsc'),
      '-p',
      '.',
      '--pretty',
      'false',
    ]);
    assert.deepEqual(
      output
        .trim()
        .split('\n')
        .map((line) => line.trim()),
      ["src/receipt.ts(13,19): error TS2322: Type 'number' is not assignable to type 'string'."],
    );
  });

  describe('and its server', () => {
    let host: TestHost;
    let serverId: string;
    before(async () => {
      host = await createTestHost({ folder });
      const settings = parse(await readFile(path.join(folder, '.vscode/settings.json'), 'utf8')) as JsonObject;
      await host.configure(settings['duplex.mcpServers']);
      serverId = host.server('demo').id;
      const state = await host.registry.start(serverId, { ask: host.ask, signal: new AbortController().signal });
      assert.equal(state.kind, 'ready');
    });
    after(() => host.close());

    it('rolls dice, counts words and knows prices', async () => {
      assert.deepEqual(
        host.server('demo').tools.map((tool) => tool.name),
        ['roll_dice', 'count_words', 'price_of', 'countdown'],
      );
      assert.match(textOf(await host.call('roll_dice', { sides: 6, count: 2 }, { serverId })), /^You rolled [1-6], [1-6]: \d+ together\.$/);
      assert.equal(
        textOf(await host.call('count_words', { text: 'to be or not to be' }, { serverId })),
        '6 words, 1 lines, 18 characters.',
      );
      const price = await host.call('price_of', { item: 'cheese' }, { serverId });
      assert.ok(price.kind === 'result');
      assert.deepEqual(toResultItems(price.result), [
        { kind: 'structured', json: JSON.stringify({ item: 'cheese', cents: 540, price: '5.40' }, undefined, 2) },
      ]);
    });

    it('explains a wrong argument as a failed tool', async () => {
      const outcome = await host.call('roll_dice', { sides: 1 }, { serverId });
      assert.equal(outcome.kind === 'result' && outcome.result.isError, true);
      assert.equal(textOf(outcome), '"sides" must be a whole number from 2 to 1000.');
    });

    it('counts down with progress until it is cancelled', async () => {
      const messages: unknown[] = [];
      const cancelling = new AbortController();
      const outcome = await host.call(
        'countdown',
        { seconds: 30 },
        {
          serverId,
          signal: cancelling.signal,
          onProgress: (progress) => {
            messages.push(progress);
            if (messages.length === 2) {
              cancelling.abort();
            }
          },
        },
      );
      assert.deepEqual(outcome, { kind: 'cancelled' });
      assert.deepEqual(messages, [
        { value: 0, total: 30, message: '30 …' },
        { value: 1, total: 30, message: '29 …' },
      ]);
    });
  });

  /** Its output, whether it succeeds or not. */
  function run(command: string, args: readonly string[]): Promise<string> {
    // A test runner that finds itself inside another one reports to that.
    const env = childEnvironment({ NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined });
    return new Promise((resolve) => execFile(command, args, { cwd: folder, env, timeout: 25_000 }, (_error, stdout) => resolve(stdout)));
  }
});
