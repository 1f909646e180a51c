import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import type { ServerDefinition } from '../../../../src/definitions/serverDefinition.ts';
import type { ScriptTarget } from '../../../../src/traffic/exchangeScript.ts';
import { TrafficLog, type TrafficRecord } from '../../../../src/traffic/trafficLog.ts';
import { ownScriptTarget, scriptOf, scriptTarget, whyNoScript } from '../../../../src/views/traffic/repeatExchange.ts';
import { withoutSecrets } from '../../../../src/secrets/redactSecrets.ts';
import { scriptedServer } from '../../host/support.ts';
import { modernMeta } from '../../server/support/modernLinks.ts';
import { runCore, type RunningCore } from '../../server/support/runningCore.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'script-'));
const place = { folders: [{ name: 'demo', path: folder }], userHome: folder, platform: process.platform, isSignedIn: false };

function define(value: object): ServerDefinition {
  const [definition] = readDefinitions([
    { scope: 'user', value: { one: value }, inputs: [{ id: 'pin', type: 'promptString' }], location: 'user settings' },
  ]).definitions;
  assert.ok(definition !== undefined);
  return definition;
}

function recordOf(method: string, params: JsonObject, side: 'server' | 'client' = 'server'): TrafficRecord {
  const log = new TrafficLog({ clock: systemClock, mask: () => (text) => withoutSecrets(text, []), canRepeat: () => true });
  log.setOpen(true);
  log.note({ side, id: 'one', name: 'one' }, side === 'server' ? 'sent' : 'received', { jsonrpc: '2.0', id: 7, method, params });
  const [record] = log.list();
  assert.ok(record !== undefined);
  return record;
}

interface Ending {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** By a Node of its own, as a person would. */
function run(script: string | undefined, env: Record<string, string> = {}): Promise<Ending> {
  const file = path.join(folder, `script-${Math.random()}.mjs`);
  writeFileSync(file, script ?? '');
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { env: { PATH: process.env['PATH'], ...env }, timeout: 30_000 }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output, errors }),
    );
  });
}

const textIn = ({ output }: Ending): unknown => (JSON.parse(output) as { result: { content: { text: string }[] } }).result.content[0]?.text;

describe('An exchange as a script', () => {
  const call = (args: JsonObject): TrafficRecord => recordOf('tools/call', { name: 'echo', arguments: args });

  it('starts the program, makes the call again and prints the answer', async () => {
    const target = scriptTarget(define({ command: 'node', args: [scriptedServer] }), place);
    const ended = await run(scriptOf(call({ text: 'it’s `${x}` "again"\n\u2028' }), () => target ?? 'gone'));
    assert.deepEqual([ended.code, textIn(ended)], [0, 'it’s `${x}` "again"\n\u2028']);
  }).timeout(40_000);

  it('holds no secret of the definition or the call, and asks for each by its name', async () => {
    const token = `ghp_${'a1'.repeat(18)}`;
    const target = scriptTarget(
      define({
        command: 'node',
        args: [scriptedServer, '--api-key', 'delta-epsilon-9', '${input:pin}', '${env:other_key}', '${workspaceFolder}'],
        env: { ONE_TOKEN: 'alpha-beta-gamma', PLAIN: 'visible' },
      }),
      place,
    );
    const script =
      scriptOf(
        recordOf('tools/call', { name: 'surroundings', arguments: { password: 'p', text: `x ${token}` } }),
        () => target ?? 'gone',
      ) ?? '';
    assert.deepEqual(
      ['alpha-beta-gamma', 'delta-epsilon-9', token, '"p"', 'visible', folder].map((each) => script.includes(each)),
      [false, false, false, false, true, true],
    );
    const first = await run(script);
    assert.deepEqual([first.code, /^Set the variable (\w+) /.exec(first.errors)?.[1]], [2, 'EXCHANGE_PASSWORD']);
    const ended = await run(script, {
      EXCHANGE_PASSWORD: 'p',
      EXCHANGE_TEXT: 't',
      EXCHANGE_ONE_TOKEN: 'one',
      EXCHANGE_ARGUMENT_3: 'three',
      EXCHANGE_PIN: '4',
      other_key: '5',
    });
    const { argv, env } = JSON.parse(String(textIn(ended))) as { argv: string[]; env: Record<string, string> };
    assert.deepEqual([argv, env['ONE_TOKEN'], env['PLAIN']], [['--api-key', 'three', '4', '5', folder], 'one', 'visible']);
  }).timeout(40_000);

  it('reads no variable of the person’s because a server or a definition gave something its name', () => {
    const named = { aws_secret_access_key: 'x', AWS_SECRET_ACCESS_KEY: 'y', nested: [{ 'github-token': 'z' }] };
    const target = scriptTarget(
      define({
        url: 'https://a.example/mcp',
        headers: { AWS_SECRET_ACCESS_KEY: 'Zx81hunter2abcdef', X: '${input:pin}', Y: '${env:MINE_TOKEN}' },
      }),
      place,
    );
    const script = scriptOf(recordOf('tools/call', { name: 'x', arguments: named }), () => target ?? 'gone') ?? '';
    const read = [...script.matchAll(/secret\("([^"]*)"\)/g)].map(([, name = '']) => name);
    assert.equal(read.length, 6);
    assert.deepEqual(
      read.filter((name) => !name.startsWith('EXCHANGE_')),
      ['MINE_TOKEN'],
    );
  });

  it('gives the program the short environment that the editor gives it, with its envFile and definition', async () => {
    writeFileSync(path.join(folder, 'one.env'), 'FROM_FILE=file\nBOTH=file\n');
    const target = scriptTarget(
      define({
        command: process.execPath,
        args: [scriptedServer],
        envFile: 'one.env',
        cwd: '.',
        env: { BOTH: 'definition', LANG: null, OTHER: '${env:OTHER}' },
      }),
      place,
    );
    const script = scriptOf(recordOf('tools/call', { name: 'surroundings', arguments: {} }), () => target ?? 'gone') ?? '';
    assert.match(script, /^\/\/ It holds no secrets: each comes from the variable/m);
    const mine = { HOME: folder, LANG: 'C', AWS_SECRET_ACCESS_KEY: 'not for it', NODE_OPTIONS: '', OTHER: 'other' };
    const ended = await run(script, mine);
    const { env } = JSON.parse(String(textIn(ended))) as { env: Record<string, string> };
    assert.deepEqual(env, { PATH: process.env['PATH'], HOME: folder, FROM_FILE: 'file', BOTH: 'definition', OTHER: 'other' });
  }).timeout(40_000);

  it('starts npm’s programs through Node on Windows, where they are batch files', () => {
    const written = (command: string, platform: NodeJS.Platform): string =>
      scriptOf(call({}), () => scriptTarget(define({ command, args: ['-y', 'x'] }), { ...place, platform }) ?? 'notARequest') ?? '';
    for (const command of ['npx', 'NPX.cmd']) {
      const script = written(command, 'win32');
      assert.ok(
        script.includes(`spawn(process.execPath, [resolve(process.execPath, '../node_modules/npm/bin/npx-cli.js'), "-y", "x"]`),
        script,
      );
    }
    assert.ok(written('npx', 'linux').includes('spawn("npx", ["-y", "x"]'));
    assert.ok(written('npx-tool', 'win32').includes('spawn("npx-tool", ["-y", "x"]'));
  });

  it('says so when the server ends before it answers', async () => {
    const target = scriptTarget(define({ command: 'node', args: ['-e', '0'] }), place);
    const ended = await run(scriptOf(call({}), () => target ?? 'gone'));
    assert.deepEqual([ended.code, ended.errors.includes('ended before it answered')], [1, true]);
  }).timeout(40_000);

  it('is there only for what can be repeated from outside: no cut message, no socket, no request of the server’s own', () => {
    const target: ScriptTarget = { kind: 'http', url: ['http://127.0.0.1/'], headers: {} };
    const asked: TrafficRecord = { ...call({}), direction: 'received' };
    const cut: TrafficRecord = { ...call({}), message: { ...call({}).message, isCut: true } };
    assert.deepEqual(
      [asked, cut].map((record) => scriptOf(record, () => target)),
      [undefined, undefined],
    );
    assert.deepEqual(
      [whyNoScript(asked, () => target), whyNoScript(cut, () => target), whyNoScript(call({}), () => target)],
      ['notARequest', 'tooLong', undefined],
    );
    assert.deepEqual([whyNoScript(call({}), () => 'unreachable'), scriptOf(call({}), () => 'gone')], ['unreachable', undefined]);
    const remote = [
      { url: 'wss://a.example' },
      { url: 'https://a.example', type: 'sse' },
      { url: 'https://a.example', tls: { ca: '/ca' } },
    ];
    assert.deepEqual(
      remote.map((each) => scriptTarget(define(each), place)),
      [undefined, undefined, undefined],
    );
  });

  it('reads headers of a remote server from variables, and the token of one that was signed in to', () => {
    const definition = define({
      url: 'https://a.example/mcp?api_key=abcdef123456',
      headers: { Authorization: 'Bearer abc', 'X-Plain': 'y' },
    });
    assert.deepEqual(scriptTarget(definition, place), {
      kind: 'http',
      url: ['https://a.example/mcp?api_key=', { variable: 'EXCHANGE_URL_SECRET' }],
      headers: { Authorization: [{ variable: 'EXCHANGE_AUTHORIZATION' }], 'X-Plain': ['y'] },
    });
    assert.deepEqual(scriptTarget(define({ url: 'https://a.example' }), { ...place, isSignedIn: true }), {
      kind: 'http',
      url: ['https://a.example'],
      headers: { Authorization: ['Bearer ', { variable: 'EXCHANGE_ACCESS_TOKEN' }] },
    });
  });

  describe('over HTTP', () => {
    let core: RunningCore;
    before(async () => {
      core = await runCore();
    });
    after(() => core.close());

    for (const [era, params] of [
      ['in a session of its own', {}],
      ['without a session, as it was sent', { _meta: modernMeta() }],
    ] as const) {
      it(`asks the server again, ${era}`, async () => {
        const script = scriptOf(recordOf('tools/list', params, 'client'), () => ownScriptTarget(`http://127.0.0.1:${core.port}/mcp`));
        const { code, output } = await run(script, { DUPLEX_TOKEN: core.token });
        assert.equal(code, 0, output);
        assert.ok((JSON.parse(output) as { result: { tools: unknown[] } }).result.tools.length > 0);
        const refused = await run(script, { DUPLEX_TOKEN: 'wrong' });
        assert.equal(refused.code, 1);
      }).timeout(60_000);
    }
  });
});
