import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { abortError } from '../../../../src/base/abort.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { PersonAnswer } from '../../../../src/contract/questions/questions.ts';
import type { RuleOffer } from '../../../../src/contract/questions/toolQuestions.ts';
import { isCarriedElsewhere, ruledInquiry, shownOffers, type RuledTool } from '../../../../src/host/tools/ruleOffers.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { createTestHost, scriptedServer, textOf, type TestHost } from '../support.ts';

const inputSchema: JsonObject = { type: 'object', properties: { path: { type: 'string' }, token: { type: 'string' } } };
const both: RuleOffer['scopes'] = ['session', 'workspace'];
const exactly = (scopes = both): RuleOffer => ({ what: { kind: 'exactArguments' }, scopes });
const inside = (folder: string): RuleOffer => ({ what: { kind: 'pathInside', folder }, scopes: both });

describe('The rules that a question offers', () => {
  let work: string;
  beforeEach(() => {
    work = createTemporaryFolder();
    mkdirSync(path.join(work, 'src/deep'), { recursive: true });
  });
  afterEach(() => removeTemporaryFolder(work));

  const offersFor = (args: JsonObject, change: Partial<RuledTool> = {}): RuleOffer[] => {
    const tool: RuledTool = { inputSchema, runsHere: true, places: { folders: [work], userHome: '/nobody' }, ...change };
    return shownOffers(ruledInquiry(args, tool, true).offered);
  };

  it('are these arguments, the folder of the file, and the workspace folder that it is in', () => {
    assert.deepEqual(offersFor({ path: `${work}/src/deep/a.ts` }), [exactly(), inside(`${work}/src/deep`), inside(work)]);
    assert.deepEqual(offersFor({ path: `${work}/a.ts` }), [exactly(), inside(work)]);
  });

  it('are no folder outside the workspace, behind a link, around the home, or of a tool that runs elsewhere', () => {
    symlinkSync('/', path.join(work, 'link'));
    const file = `${work}/src/a.ts`;
    const seen = [
      offersFor({ path: '/etc/hosts' }),
      offersFor({ path: `${work}/link/etc/hosts` }),
      offersFor({ path: `${work}/.git/config` }),
      offersFor({ path: `${work}/src` }),
      offersFor({ path: file }, { runsHere: false }),
      offersFor({ path: file }, { places: { folders: [], userHome: '/nobody' } }),
      offersFor({ path: file }, { places: { folders: [work], userHome: `${work}/src/deep` } }),
    ];
    assert.deepEqual(
      seen,
      seen.map(() => [exactly()]),
    );
    assert.deepEqual(offersFor({ path: file }, { places: { folders: [work], userHome: `${work}/home` } }), [
      exactly(),
      inside(`${work}/src`),
    ]);
  });

  it('keep arguments with a secret out of files, and offer none that nobody would read again', () => {
    assert.deepEqual(offersFor({ token: 'x' }), [exactly(['session'])]);
    assert.deepEqual(offersFor({ note: { list: [{ password: 'x' }] } }), [exactly(['session'])]);
    assert.deepEqual(offersFor({ note: `ghp_${'a1B2'.repeat(9)}` }), [exactly(['session'])]);
    assert.deepEqual(offersFor({ note: 'x'.repeat(3_000) }), []);
  });

  it('take no program for a local one that carries calls elsewhere', () => {
    const started: readonly JsonObject[] = [
      { command: 'docker', args: ['run', '-i', 'mcp/files'] },
      { command: '/usr/bin/ssh', args: ['host', 'server'] },
      { command: 'C:\\Windows\\System32\\wsl.exe', args: [] },
      { command: 'npx', args: ['-y', 'mcp-remote@latest', 'https://example.com/mcp'] },
      { command: 'sh', args: ['-c', 'exec podman run files'] },
    ];
    assert.deepEqual(
      started.filter((each) => !isCarriedElsewhere(each)),
      [],
    );
    assert.ok(!isCarriedElsewhere({ command: 'node', executable: '/usr/bin/node', args: ['/w/dockerfiles/sshd.mjs', '-y'] }));
  });
});

describe('A call, after "Allow when…"', () => {
  let host: TestHost;
  let base: string;
  let work: string;
  const start = async (): Promise<void> => void (await host.startScripted('files'));
  beforeEach(async () => {
    base = createTemporaryFolder();
    work = path.join(base, 'work');
    mkdirSync(path.join(work, 'src'), { recursive: true });
    mkdirSync(path.join(base, 'outside'));
    writeFileSync(path.join(work, 'src/a.ts'), '');
    writeFileSync(path.join(base, 'outside/a.ts'), '');
    host = await createTestHost({ folder: work, environment: { userHome: '/nobody' } });
  });
  afterEach(async () => {
    await host.close();
    await removeTemporaryFolder(base);
  });

  /** Calls the tool, and says whether somebody was asked. */
  async function isAsked(args: JsonObject, answer: PersonAnswer['choice'] | Omit<PersonAnswer, 'askId'> = 'deny'): Promise<boolean> {
    const { length } = host.asked;
    host.answer = ({ detail }) => (detail.kind === 'callTool' ? answer : 'allow');
    const outcome = await host.call('touch_file', args);
    if (host.asked.length === length) {
      assert.equal(textOf(outcome), `touched ${JSON.stringify(args['path']).slice(1, -1)}`);
    } else if (answer === 'deny') {
      assert.deepEqual(outcome, { kind: 'denied', by: 'person' });
    }
    return host.asked.length > length;
  }

  it('with the same arguments is not asked about; with any others it is', async () => {
    await start();
    const args = { path: 'notes', content: 'x' };
    assert.ok(await isAsked(args, { choice: 'allowWhen', rule: { offer: 0, scope: 'session' } }));
    assert.ok(!(await isAsked({ content: 'x', path: 'notes' })));
    for (const other of [{ path: 'notes' }, { ...args, content: 'X' }, { ...args, limit: 1 }, { path: 'notes', content: ['x'] }]) {
      assert.ok(await isAsked(other), JSON.stringify(other));
    }
    assert.equal(host.asked.at(-1)?.why, 'new');
  });

  it('in the folder is not asked about until a link leads out of it', async () => {
    await start();
    const rule = { choice: 'allowWhen', rule: { offer: 1, scope: 'workspace' } } as const;
    assert.ok(await isAsked({ path: `${work}/src/a.ts` }, rule));
    const { choices, detail } = host.asked.at(-1) ?? {};
    assert.ok(choices?.includes('allowWhen'));
    assert.deepEqual(detail?.kind === 'callTool' && detail.rules, [exactly(), inside(`${work}/src`), inside(work)]);
    assert.ok(!(await isAsked({ path: `${work}/src/new.ts`, content: 'free\ntext', limit: 7 })));
    assert.ok(await isAsked({ path: `${work}/b.ts` }), 'beside the folder');
    assert.ok(await isAsked({ path: `${work}/src/.env` }), 'a sensitive file');
    assert.ok(await isAsked({ path: `${work}/src/a.ts`, destination: 'b' }), 'a second path');
    rmSync(path.join(work, 'src/a.ts'));
    symlinkSync(path.join(base, 'outside/a.ts'), path.join(work, 'src/a.ts'));
    assert.ok(await isAsked({ path: `${work}/src/a.ts` }), 'a link in the place of the file');
    rmSync(path.join(work, 'src'), { recursive: true });
    symlinkSync(path.join(base, 'outside'), path.join(work, 'src'));
    assert.ok(await isAsked({ path: `${work}/src/a.ts` }), 'a link in the place of the folder');
  });

  it('that waits already is settled by the rule only if its path still stays in the folder', async () => {
    await start();
    const asked: string[] = [];
    let answerWaiting: (answer: PersonAnswer) => void = () => undefined;
    const wait = host.call(
      'touch_file',
      { path: `${work}/src/a.ts` },
      {
        ask: ({ askId }, signal) => {
          asked.push(askId);
          return new Promise<PersonAnswer>((resolve, reject) => {
            answerWaiting = resolve;
            signal.addEventListener('abort', () => reject(abortError('The question was withdrawn.')));
          });
        },
      },
    );
    await host.until(() => asked.length === 1, 'the question');
    rmSync(path.join(work, 'src/a.ts'));
    symlinkSync(path.join(base, 'outside/a.ts'), path.join(work, 'src/a.ts'));
    await isAsked({ path: `${work}/src/b.ts` }, { choice: 'allowWhen', rule: { offer: 1, scope: 'session' } });
    answerWaiting({ askId: asked[0] ?? '', choice: 'deny' });
    assert.deepEqual(await wait, { kind: 'denied', by: 'person' });
  });

  it('is asked about again, with the difference, when the tool has another schema', async () => {
    await start();
    await isAsked({ path: `${work}/src/a.ts` }, { choice: 'allowWhen', rule: { offer: 1, scope: 'workspace' } });
    host.answer = () => 'allowOnce';
    await host.call('change_schema');
    const schemaOf = (): string => JSON.stringify(host.server('scripted').tools.find(({ name }) => name === 'touch_file')?.inputSchema);
    await host.until(() => schemaOf().includes('also'), 'the change');
    assert.ok(await isAsked({ path: `${work}/src/a.ts` }));
    const question = host.asked.at(-1);
    assert.deepEqual([question?.why, question?.differences.map(({ field }) => field)], ['changed', ['inputSchema.properties.also.type']]);
  });

  it('is refused where the person changed the arguments, and nothing is remembered', async () => {
    await start();
    const changed = JSON.stringify({ path: '/etc/passwd' });
    const answer = { choice: 'allowWhen', rule: { offer: 1, scope: 'session' }, arguments: changed } as const;
    await isAsked({ path: `${work}/src/a.ts` }, answer);
    assert.ok(await isAsked({ path: `${work}/src/a.ts` }));
  });

  it('holds for no other server, even of the same definition', async () => {
    await start();
    await isAsked({ path: `${work}/src/a.ts` }, { choice: 'allowWhen', rule: { offer: 1, scope: 'workspace' } });
    const server = { command: 'node', args: [scriptedServer, 'files'] };
    await host.configure({ scripted: server, other: server });
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'deny');
    await host.registry.start(host.server('other').id, { ask: host.ask, signal: new AbortController().signal });
    const outcome = await host.call('touch_file', { path: `${work}/src/a.ts` }, { serverId: host.server('other').id });
    assert.deepEqual(outcome, { kind: 'denied', by: 'person' });
  });
});
