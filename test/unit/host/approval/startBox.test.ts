import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DefinitionSource } from '../../../../src/definitions/serverDefinition.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import type { StartServerQuestion } from '../../../../src/contract/questions/serverQuestions.ts';
import { Boxes } from '../../../../src/host/box/boxes.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { createTestHost } from '../support.ts';

const signal = new AbortController().signal;

/** The question about one server on a machine that has, or seems to have, what boxes are made with. */
async function boxIn(
  source: Pick<DefinitionSource, 'scope'> & Partial<DefinitionSource>,
  definition: object,
  { platform = 'linux', program = process.execPath }: { readonly platform?: NodeJS.Platform; readonly program?: string } = {},
): Promise<StartServerQuestion['box']> {
  const folder = createTemporaryFolder();
  const env = { PATH: path.dirname(process.execPath), HOME: folder, DUPLEX_BUBBLEWRAP: program };
  const boxes = new Boxes({ folder: path.join(folder, 'boxes'), userHome: folder, env, platform, secretPlaces: [] });
  const host = await createTestHost({ folder, environment: { env }, ports: { boxes } });
  host.answer = () => 'deny';
  await host.registry.apply(readDefinitions([{ value: { one: definition }, location: 'somewhere', workspace: folder, ...source }]));
  await host.registry.start(host.registry.servers()[0]?.id ?? '', { ask: host.ask, signal });
  await host.close();
  const detail = host.asked[0]?.detail;
  assert.ok(detail?.kind === 'startServer');
  return detail.box;
}

describe('The box in the question of a start', () => {
  const node = { command: 'node', args: ['x.mjs'] };

  it('cannot be chosen where it cannot be had, and says why', async () => {
    const user = { scope: 'user' } as const;
    const obstacles = [
      await boxIn(user, node, { platform: 'win32' }),
      await boxIn(user, node, { platform: 'darwin' }),
      await boxIn(user, { ...node, dev: { debug: 'node' } }),
    ].map((box) => box?.obstacle);
    assert.deepEqual(obstacles, [{ kind: 'system' }, { kind: 'system' }, { kind: 'debugged' }]);
    const missing = (await boxIn(user, { ...node, sandbox: true }, { program: '/none' }))?.obstacle;
    assert.ok(missing?.kind === 'missing' && missing.program.startsWith('bubblewrap'), JSON.stringify(missing));
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
