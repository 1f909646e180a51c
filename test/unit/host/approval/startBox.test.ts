import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DefinitionSource } from '../../../../src/definitions/serverDefinition.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import type { StartServerQuestion } from '../../../../src/contract/questions/serverQuestions.ts';
import { Boxes } from '../../../../src/host/box/boxes.ts';
import { hasBoxPrograms } from '../../../support/run/boxPrograms.mjs';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot } from '../support.ts';

const signal = new AbortController().signal;

interface Machine {
  readonly platform?: NodeJS.Platform;
  /** What makes boxes there. */
  readonly program?: string;
}

/** The question about one server on a machine that has what boxes are made with, or on one that is described. */
async function boxIn(
  source: Pick<DefinitionSource, 'scope'> & Partial<DefinitionSource>,
  definition: object,
  { platform = 'linux', program = '/usr/bin/bwrap' }: Machine = {},
): Promise<StartServerQuestion['box']> {
  const folder = createTemporaryFolder();
  const env = { PATH: path.dirname(process.execPath), HOME: folder, DUPLEX_BUBBLEWRAP: program };
  const boxes = new Boxes({
    folder: path.join(folder, 'boxes'),
    userHome: folder,
    env,
    platform,
    secretPlaces: [],
    sandboxProgram: program,
  });
  const host = await createTestHost({ folder, environment: { env }, ports: { boxes } });
  host.answer = () => 'deny';
  await host.registry.apply(readDefinitions([{ value: { one: definition }, location: 'somewhere', workspace: folder, ...source }]));
  await host.registry.start(host.registry.servers()[0]?.id ?? '', { ask: host.ask, signal });
  await host.close();
  const detail = host.asked[0]?.detail;
  assert.ok(detail?.kind === 'startServer');
  return detail.box;
}

describe('The box in the question of a start', function () {
  this.timeout(20_000);
  const node = { command: 'node', args: ['x.mjs'] };

  before(async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
  });

  it('cannot be chosen where it cannot be had, and says why', async () => {
    const user = { scope: 'user' } as const;
    const obstacles = [
      await boxIn(user, node, { platform: 'win32' }),
      await boxIn(user, node, { platform: 'freebsd' }),
      await boxIn(user, { ...node, dev: { debug: 'node' } }),
    ].map((box) => box?.obstacle);
    assert.deepEqual(obstacles, [{ kind: 'system' }, { kind: 'system' }, { kind: 'debugged' }]);
    const missing = (await boxIn(user, { ...node, sandbox: true }, { program: '/none' }))?.obstacle;
    assert.deepEqual(missing, { kind: 'missing', program: 'bubblewrap' });
    const missingOnMac = (await boxIn(user, node, { platform: 'darwin', program: '/none' }))?.obstacle;
    assert.deepEqual(missingOnMac, { kind: 'missing', program: 'sandbox-exec' });
  });

  it('cannot be chosen where one that was tried does not hold, and says what did not', async () => {
    const program = path.join(createTemporaryFolder(), 'sandbox-exec');
    writeFileSync(program, '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 });
    const box = await boxIn({ scope: 'workspace' }, { ...node, sandbox: true }, { platform: 'darwin', program });
    assert.ok(box?.obstacle?.kind === 'unreliable', JSON.stringify(box));
    assert.deepEqual(box.obstacle.probes.slice(0, 2), ['reads', 'writes']);
    writeFileSync(program, '#!/bin/sh\necho "no rights" >&2\nexit 1\n');
    const linux = await boxIn({ scope: 'user' }, node, { program });
    assert.deepEqual(linux?.obstacle, { kind: 'unreliable', probes: ['starts'], said: 'no rights' });
  });

  it('is not tried for a server that may start without one', async () => {
    const folder = createTemporaryFolder();
    const program = path.join(folder, 'bwrap');
    writeFileSync(program, `#!/bin/sh\necho tried >> '${folder}/trials'\nexit 1\n`, { mode: 0o755 });
    const env = { PATH: path.dirname(process.execPath), HOME: folder, DUPLEX_BUBBLEWRAP: program };
    const boxes = new Boxes({ folder: path.join(folder, 'boxes'), userHome: folder, env, platform: 'linux', secretPlaces: [] });
    const host = await createTestHost({ folder, environment: { env }, ports: { boxes } });
    const trials = (): number => (existsSync(`${folder}/trials`) ? readFileSync(`${folder}/trials`, 'utf8').split('\n').length - 1 : 0);
    const one = { command: 'node', args: [path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs')] };
    await host.registry.apply(readDefinitions([{ scope: 'user', value: { one }, location: 'somewhere' }]));
    const start = (): Promise<{ readonly kind: string }> => host.registry.start(host.server('one').id, { ask: host.ask, signal });
    assert.deepEqual([trials(), (await start()).kind, trials()], [0, 'ready', 1]);
    await host.registry.stop(host.server('one').id);
    assert.deepEqual([(await start()).kind, trials()], ['ready', 1]);
    await host.close();
  });

  it('is asked about anew where it is gone by the time the server would start, and is never left out silently', async () => {
    const folder = createTemporaryFolder();
    const env = { PATH: folder, HOME: folder };
    let offers = 0;
    // The first look is for the question, the second for what was asked about, the third for what starts.
    class VanishingBoxes extends Boxes {
      override async offer(...given: Parameters<Boxes['offer']>): ReturnType<Boxes['offer']> {
        offers += 1;
        return offers < 3 ? super.offer(...given) : { kind: 'obstacle', obstacle: { kind: 'missing', program: 'bubblewrap' } };
      }
    }
    const boxes = new VanishingBoxes({ folder: `${folder}/boxes`, userHome: folder, env, platform: 'linux', secretPlaces: [] });
    const host = await createTestHost({ folder, environment: { env }, ports: { boxes } });
    host.answer = () => (host.asked.length === 1 ? { choice: 'allow', isConfined: true } : 'deny');
    await host.configure({ one: { command: 'node', args: [path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs')] } });
    const state = await host.registry.start(host.server('one').id, { ask: host.ask, signal });
    await host.close();
    const obstacles = host.asked.map(({ detail }) => (detail.kind === 'startServer' ? detail.box?.obstacle?.kind : detail.kind));
    assert.deepEqual([obstacles, state.kind], [[undefined, 'missing'], 'stopped']);
  });

  it('is preselected for a server of a repository, from a registry or whose definition asks for it, not for one that was typed', async () => {
    const chosen = async (source: Pick<DefinitionSource, 'scope'>, definition: object): Promise<boolean | undefined> => {
      const box = await boxIn(source, definition);
      assert.equal(box?.obstacle, undefined);
      return box?.isPreselected;
    };
    assert.deepEqual(
      [
        await chosen({ scope: 'workspace' }, node),
        await chosen({ scope: 'user' }, { ...node, registry: 'io.example/demo' }),
        await chosen({ scope: 'user' }, { ...node, sandbox: true }),
        await chosen({ scope: 'user' }, node),
        await chosen({ scope: 'discovered' }, { ...node, gallery: 'https://gallery.example', version: '1.0.0' }),
        await chosen({ scope: 'discovered' }, { ...node, registry: 'a word of another program' }),
      ],
      [true, true, true, false, true, false],
    );
  });

  it('is preselected where VS Code’s own file asks for one, and says that VS Code’s rules are not applied', async () => {
    const rules = { sandbox: { network: { allowedDomains: ['*'] }, filesystem: { allowWrite: ['/'] } } };
    const boxes = [
      await boxIn({ scope: 'discovered' }, { ...node, ...rules, sandboxEnabled: true }),
      await boxIn({ scope: 'discovered' }, { ...node, ...rules, sandboxEnabled: true }, { program: '/none' }),
      await boxIn({ scope: 'discovered' }, { ...node, ...rules }),
      await boxIn({ scope: 'user' }, { ...node, sandbox: true }),
    ].map((box) => [box?.isPreselected, box?.isOfEditor, box?.write, box?.hosts]);
    assert.deepEqual(boxes, [
      [true, true, [], []],
      [true, true, [], []],
      [false, undefined, [], []],
      [true, undefined, [], []],
    ]);
  });

  it('is not for programs that fetch what they run or hand it on, but for npx and uvx with options that are known', async () => {
    const folder = createTemporaryFolder();
    const fetching = async (name: string, ...args: readonly string[]): Promise<string | undefined> => {
      const command = path.join(folder, name);
      writeFileSync(command, '#!/bin/sh\n', { mode: 0o755 });
      return (await boxIn({ scope: 'user' }, { command, args }))?.obstacle?.kind;
    };
    assert.deepEqual(
      [
        await fetching('uvx', './server'),
        await fetching('uv', 'run', 'server.py'),
        await fetching('dnx', 'Server@1.0.0'),
        await fetching('npx', '--call', 'x'),
        await fetching('npx', './x'),
        await fetching('docker', 'run'),
        await fetching('podman', 'run'),
      ],
      ['fetches', 'fetches', 'fetches', 'fetches', 'fetches', 'elsewhere', 'elsewhere'],
    );
    assert.deepEqual(
      [await fetching('npx', '-y', 'server'), await fetching('uvx', 'server@1.0')].map((kind) => kind === 'fetches'),
      [false, false],
    );
  });
});
