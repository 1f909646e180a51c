import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createTestHost, failureOf, isRunning, repositoryRoot, textOf, untilGone, type TestHost } from '../unit/host/support.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';

interface Surroundings {
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

describe('Processes of servers', () => {
  it('do not outlive a killed extension host, not even children that left their group and ignore signals', async () => {
    const window = spawn(process.execPath, ['--import', 'tsx', path.join(repositoryRoot, 'test/unit/host/windowProcess.ts')], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: window.stdout }), 'line')) as [string];
    const pids = JSON.parse(line) as number[];
    assert.deepEqual(await Promise.all(pids.map(isRunning)), [true, true, true]);
    window.kill('SIGKILL');
    await once(window, 'exit');
    assert.deepEqual(await untilGone(pids, 5_000), []);
  });

  describe('that are running', () => {
    let host: TestHost;
    const folder = createTemporaryFolder();
    before(async () => {
      const env = {
        PATH: path.dirname(process.execPath),
        HOME: folder,
        AWS_SECRET_ACCESS_KEY: 'aws',
        GITHUB_TOKEN: 'ghp',
        NODE_OPTIONS: '--no-warnings',
      };
      host = await createTestHost({ folder, environment: { env: { ...env, WANTED: 'w4nted' } } });
    });
    after(() => host.close());

    it('get their arguments as they are: no shell reads $(…), backticks, quotes or line breaks', async () => {
      const hostile = [
        '$(touch pwned)',
        '`touch pwned`',
        '"; touch pwned; "',
        "' && touch pwned '",
        'a\nb',
        '%PATH%',
        '',
        '--key=${env:WANTED}',
      ];
      const file = path.join(folder, 'it’s $(touch pwned) here.mjs');
      const { copyFile } = await import('node:fs/promises');
      await copyFile(path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs'), file);
      await host.startScripted('normal', { args: [file, 'normal', ...hostile], env: { VALUE: '$(touch pwned)' } });
      const seen = JSON.parse(textOf(await host.call('surroundings'))) as Surroundings;
      assert.deepEqual(seen.argv, ['normal', ...hostile.slice(0, -1), '--key=w4nted']);
      assert.equal(seen.env['VALUE'], '$(touch pwned)');
      assert.equal(existsSync(path.join(folder, 'pwned')), false);
      assert.ok(!JSON.stringify(host.asked).includes('w4nted'));
    });

    it('see none of the person’s other keys', async () => {
      await host.startScripted('normal', { env: { ASKED_FOR: '${env:WANTED}' } });
      const { env } = JSON.parse(textOf(await host.call('surroundings'))) as Surroundings;
      assert.deepEqual(Object.keys(env).sort(), ['ASKED_FOR', 'DUPLEX_SERVER_PROCESS', 'HOME', 'PATH']);
    });

    it('are asked about with the names of the variables they get and where those go', async () => {
      host.asked.length = 0;
      await host.startScripted('normal', {
        env: { ASKED_FOR: '${env:WANTED}!', NODE_OPTIONS: '--import=x', HIDDEN: 'a\u202Eb' },
        args: ['${env:WANTED}'],
      });
      const [question] = host.asked;
      assert.ok(question?.detail.kind === 'startServer');
      assert.deepEqual(question.detail.disclosures, [
        { name: 'WANTED', destination: 'args[0]' },
        { name: 'WANTED', destination: 'env.ASKED_FOR' },
      ]);
      assert.deepEqual(question.detail.fields, [
        { name: 'command', value: 'node', isDangerous: false },
        { name: 'executable', value: path.join(path.dirname(process.execPath), 'node'), isDangerous: false },
        { name: 'args[0]', value: '${env:WANTED}', isDangerous: false },
        { name: 'cwd', value: folder, isDangerous: false },
        { name: 'env.ASKED_FOR', value: '${env:WANTED}!', isDangerous: false },
        { name: 'env.NODE_OPTIONS', value: '--import=x', isDangerous: true },
        { name: 'env.HIDDEN', value: 'a⟨U+202E⟩b', isDangerous: false },
      ]);
    });
  });
});

describe('A hostile server', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  it('that writes one endless line is stopped with that reason, and memory stays bounded', async () => {
    const before = process.memoryUsage().rss;
    await host.startScripted('endlessLine');
    await host.until(() => host.server('scripted').state.kind === 'failed', 'the failure');
    assert.equal(failureOf(host.server('scripted').state).code, 'host.lineTooLong');
    assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024);
  });

  it('that floods its standard error goes on working, and the log stays short', async () => {
    await host.startScripted('errorFlood');
    const start = performance.now();
    for (let count = 0; count < 20; count += 1) {
      assert.equal(textOf(await host.call('echo', { text: `${count}` })), `${count}`);
    }
    const seconds = (performance.now() - start) / 1_000;
    const lines = host.logged.filter((line) => line.includes('error after error')).length;
    assert.ok(lines < 200 * (seconds + 10), `${lines} lines in ${seconds} s`);
    assert.ok(lines > 0);
  });

  it('that sends a message nested 100,000 levels deep is failed, and nothing else breaks', async () => {
    await host.startScripted('deepMessage');
    await host.until(() => host.server('scripted').state.kind === 'failed', 'the failure');
    assert.equal(failureOf(host.server('scripted').state).code, 'host.messageTooDeep');
  });
});
