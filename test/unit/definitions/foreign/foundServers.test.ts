import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ForeignFileKind } from '../../../../src/contract/definitionSchemas.ts';
import { foreignPlaces, type ForeignPlacesContext } from '../../../../src/definitions/foreign/foreignFiles.ts';
import { DefinitionReader, FoundServers } from '../../../../src/definitions/foreign/foundServers.ts';
import type { DefinitionReading, DefinitionSource } from '../../../../src/definitions/serverDefinition.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const everyKind: readonly ForeignFileKind[] = ['vscode', 'mcpJson', 'claudeDesktop', 'cursor'];
const laterKinds: readonly ForeignFileKind[] = ['vscodeUser', 'devcontainer', 'copilotCli', 'windsurf'];
const server = { command: 'node' };

describe('The look into other programs’ files', () => {
  let home: string;
  let shop: string;
  let context: ForeignPlacesContext;
  let found: FoundServers;

  beforeEach(() => {
    home = createTemporaryFolder();
    shop = createTemporaryFolder();
    context = { folders: [{ name: 'shop', path: shop }], userHome: home, env: {}, platform: 'linux' };
    found = new FoundServers({ places: () => foreignPlaces(everyKind, context), pollMs: 20 });
  });
  afterEach(() => found.dispose());

  async function write(root: string, file: string, content: unknown): Promise<void> {
    const target = path.join(root, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content));
  }

  const read = (settings: readonly DefinitionSource[] = []): Promise<DefinitionReading> =>
    new DefinitionReader(() => settings, found).read();

  it('reads the files of VS Code, Claude Code, Claude Desktop and Cursor, each in its own form', async () => {
    const token = { type: 'promptString', id: 'token', password: true };
    await write(shop, '.vscode/mcp.json', {
      servers: { a: { type: 'stdio', ...server, args: ['${input:token}'], dev: { debug: 'node' } } },
      inputs: [token],
    });
    await write(shop, '.mcp.json', { mcpServers: { b: { type: 'http', url: 'https://b.example/${PLACE}', headers: { K: '${KEY}' } } } });
    await write(home, '.config/Claude/claude_desktop_config.json', { mcpServers: { c: server }, globalShortcut: '' });
    await write(home, '.cursor/mcp.json', '// mine\n{"mcpServers": {"d": {"type": "streamable-http", "url": "https://d.example"},},}');
    await write(shop, '.cursor/mcp.json', { mcpServers: { e: server } });
    const { definitions, problems } = await read();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ label, scope, folder, location, raw }) => [label, scope, folder?.name, location, raw]),
      [
        ['a', 'discovered', 'shop', path.join(shop, '.vscode/mcp.json'), { type: 'stdio', ...server, args: ['${input:token}'] }],
        [
          'b',
          'discovered',
          'shop',
          path.join(shop, '.mcp.json'),
          { type: 'http', url: 'https://b.example/${env:PLACE}', headers: { K: '${env:KEY}' } },
        ],
        ['c', 'discovered', undefined, path.join(home, '.config/Claude/claude_desktop_config.json'), server],
        ['e', 'discovered', 'shop', path.join(shop, '.cursor/mcp.json'), server],
        ['d', 'discovered', undefined, path.join(home, '.cursor/mcp.json'), { type: 'http', url: 'https://d.example' }],
      ],
    );
    assert.equal(new Set(definitions.map(({ id }) => id)).size, 5);
  });

  it('reads the files of the editor’s user, containers, Copilot CLI and Windsurf, each put into our form', async () => {
    const later = { ...context, editorFolder: path.join(home, 'User') };
    const env = { SET: 'value', EMPTY: '' };
    const eyes = new FoundServers({ places: () => foreignPlaces(laterKinds, later), env, pollMs: 20 });
    const token = { type: 'promptString', id: 'token', password: true };
    await write(home, 'User/mcp.json', { servers: { a: { ...server, args: ['${input:token}'] } }, inputs: [token] });
    const mcp = {
      servers: { b: { ...server, args: ['${containerWorkspaceFolder}/x', '${localEnv:SET}', '${containerEnv:NONE:fallback}'] } },
    };
    await write(shop, '.devcontainer/devcontainer.json', `// comment\n${JSON.stringify({ customizations: { vscode: { mcp } } })}`);
    await write(shop, '.devcontainer.json', { image: 'node', customizations: { vscode: { extensions: [] } } });
    await write(home, '.copilot/mcp-config.json', {
      mcpServers: {
        c: { type: 'local', ...server, tools: ['*'], env: { A: '${SET:-other}', B: '${NONE:-other}', C: '${EMPTY:-other}', D: '${NONE}' } },
        d: { type: 'http', url: 'https://d.example', headers: {}, tools: ['one'] },
      },
    });
    await write(home, '.codeium/windsurf/mcp_config.json', {
      mcpServers: { e: { serverUrl: 'https://e.example/mcp', disabled: true, disabledTools: ['rm'], alwaysAllow: ['x'] } },
    });
    const { definitions, problems } = await new DefinitionReader(() => [], eyes).read();
    eyes.dispose();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ label, scope, folder, file, raw }) => [label, scope, folder?.name, file, raw]),
      [
        ['a', 'discovered', undefined, 'VS Code', { ...server, args: ['${input:token}'] }],
        [
          'b',
          'discovered',
          'shop',
          '.devcontainer/devcontainer.json',
          { ...server, args: ['${workspaceFolder}/x', '${env:SET}', 'fallback'] },
        ],
        ['c', 'discovered', undefined, 'Copilot CLI', { ...server, env: { A: '${env:SET}', B: 'other', C: 'other', D: '${env:NONE}' } }],
        ['d', 'discovered', undefined, 'Copilot CLI', { type: 'http', url: 'https://d.example', headers: {}, tools: { include: ['one'] } }],
        ['e', 'discovered', undefined, 'Windsurf', { url: 'https://e.example/mcp', disabled: true, tools: { exclude: ['rm'] } }],
      ],
    );
  });

  it('understands the key of another program, and Zed’s form of a definition', async () => {
    await write(shop, '.mcp.json', { servers: { a: server } });
    await write(shop, '.vscode/mcp.json', { mcpServers: { b: { ...server, args: ['${workspaceFolder}'] } } });
    await write(shop, '.cursor/mcp.json', {
      context_servers: { c: { source: 'custom', command: { path: 'node', args: ['x'], env: { K: '${KEY}' } } }, d: 7 },
    });
    await write(home, '.cursor/mcp.json', { mcpServers: {}, servers: { e: server } });
    const { definitions, problems } = await read();
    assert.deepEqual(
      definitions.map(({ label, raw }) => [label, raw]),
      [
        ['b', { ...server, args: ['${workspaceFolder}'] }],
        ['a', server],
        ['c', { command: 'node', args: ['x'], env: { K: '${env:KEY}' } }],
      ],
    );
    assert.deepEqual(
      problems.map(({ code, server: name }) => [code, name]),
      [['definitions.notAnObject', 'd']],
    );
  });

  it('knows the places of the later kinds on every system', () => {
    const placesOn = (platform: NodeJS.Platform, userHome: string, env: ForeignPlacesContext['env'] = {}): string[] =>
      foreignPlaces(['copilotCli', 'windsurf'], { folders: [], userHome, env, platform }).map((place) => place.path);
    assert.deepEqual(placesOn('linux', '/home/me'), ['/home/me/.copilot/mcp-config.json', '/home/me/.codeium/windsurf/mcp_config.json']);
    assert.deepEqual(placesOn('win32', 'C:\\Users\\me', { COPILOT_HOME: 'D:\\copilot' }), [
      'D:\\copilot\\mcp-config.json',
      'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
    ]);
    assert.deepEqual(placesOn('linux', '/home/me', { COPILOT_HOME: 'relative' })[0], '/home/me/.copilot/mcp-config.json');
    assert.deepEqual(foreignPlaces(['vscodeUser'], context), []);
  });

  it('knows every place of Claude Desktop’s file', () => {
    const placesOn = (platform: NodeJS.Platform, userHome: string, env: ForeignPlacesContext['env'] = {}): string[] =>
      foreignPlaces(['claudeDesktop'], { folders: [], userHome, env, platform }).map((place) => place.path);
    assert.deepEqual(placesOn('darwin', '/Users/me'), ['/Users/me/Library/Application Support/Claude/claude_desktop_config.json']);
    assert.deepEqual(placesOn('linux', '/home/me', { XDG_CONFIG_HOME: '/cfg' }), [
      '/cfg/Claude/claude_desktop_config.json',
      '/home/me/.config/Claude/claude_desktop_config.json',
    ]);
    assert.deepEqual(placesOn('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }), [
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
      'C:\\Users\\me\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    ]);
  });

  it('reads only what is wanted', async () => {
    await write(shop, '.mcp.json', { mcpServers: { b: server } });
    assert.deepEqual(foreignPlaces([], context), []);
    assert.deepEqual(
      foreignPlaces(['vscode', 'vscode'], context).map(({ name }) => name),
      ['.vscode/mcp.json'],
    );
  });

  it('reports a file that cannot be understood where it stands, and goes on with the others', async () => {
    await write(shop, '.mcp.json', '{\n  "mcpServers": {\n    "a": \n}');
    await write(shop, '.vscode/mcp.json', { servers: { good: server, bad: { command: 7 } } });
    await write(home, '.cursor/mcp.json', `{"mcpServers": ${'['.repeat(10_000)}`);
    await write(shop, '.cursor/mcp.json', '[]');
    await write(home, '.config/Claude/claude_desktop_config.json', ' '.repeat(1024 * 1024 + 1));
    const { definitions, problems } = await read();
    assert.deepEqual(
      definitions.map(({ label }) => label),
      ['good'],
    );
    assert.deepEqual(
      problems.map(({ code, server: name, location, args }) => [code, name, path.basename(location), args['line']]),
      [
        ['definitions.wrongType', 'bad', 'mcp.json', undefined],
        ['definitions.fileMalformed', undefined, '.mcp.json', 4],
        ['definitions.fileTooLarge', undefined, 'claude_desktop_config.json', undefined],
        ['definitions.fileNotAnObject', undefined, 'mcp.json', undefined],
        ['definitions.fileTooDeep', undefined, 'mcp.json', undefined],
      ],
    );
  });

  it('never takes the plain name of a configured server', async () => {
    await write(shop, '.mcp.json', { mcpServers: { github: server, other: server } });
    await write(shop, '.cursor/mcp.json', { mcpServers: { other: server } });
    const { definitions } = await read([{ scope: 'user', value: { github: server }, location: 'user settings' }]);
    assert.deepEqual(
      definitions.map(({ label }) => label),
      ['github', 'github@.mcp.json', 'other@.mcp.json', 'other@.cursor/mcp.json'],
    );
  });

  it('tells of a file that is written in pieces once it is whole', async () => {
    const file = path.join(shop, '.mcp.json');
    await write(shop, '.mcp.json', { mcpServers: { a: server } });
    await read();
    const seen: string[] = [];
    const whole = new Promise<void>((resolve) => {
      const listening = found.onDidChange(() => {
        seen.push(readFileSync(file, 'utf8'));
        listening.dispose();
        resolve();
      });
    });
    const text = JSON.stringify({ mcpServers: { a: server, b: server } });
    const eyes = watch(shop);
    const noticed = once(eyes, 'change');
    writeFileSync(file, '');
    await noticed;
    await setImmediate();
    writeFileSync(file, text);
    await whole;
    eyes.close();
    assert.deepEqual(seen, [text]);
  });

  it('tells when a file comes, is replaced or goes', async () => {
    const changed = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('No change was told.')), 8_000);
        const listening = found.onDidChange(() => {
          clearTimeout(timer);
          listening.dispose();
          resolve();
        });
      });
    const labels = async (): Promise<string[]> => (await read()).definitions.map(({ label }) => label);
    assert.deepEqual(await labels(), []);
    let told = changed();
    await write(shop, '.vscode/mcp.json', { servers: { a: server } });
    await told;
    assert.deepEqual(await labels(), ['a']);
    told = changed();
    await write(shop, 'new.json', { servers: { a: server, b: server } });
    await rename(path.join(shop, 'new.json'), path.join(shop, '.vscode/mcp.json'));
    await told;
    assert.deepEqual(await labels(), ['a', 'b']);
    told = changed();
    await rm(path.join(shop, '.vscode'), { recursive: true });
    await told;
    assert.deepEqual(await labels(), []);
  });
});

describe('The reader of definitions', () => {
  const sourceOf = (name: string): DefinitionSource => ({
    scope: 'user',
    value: { [name]: { command: 'node' } },
    location: 'user settings',
  });

  it('ends readings in the order they were asked for, also when an older one takes longer', async () => {
    const waits = [20, 0];
    const sources = async (): Promise<readonly DefinitionSource[]> => {
      await new Promise((resolve) => setTimeout(resolve, waits.shift()));
      return [];
    };
    const names = ['old', 'new'];
    const reader = new DefinitionReader(() => [sourceOf(names.shift() ?? '')], { sources });
    const ended: string[] = [];
    await Promise.all([1, 2].map(() => reader.read().then(({ definitions }) => ended.push(...definitions.map(({ name }) => name)))));
    assert.deepEqual(ended, ['old', 'new']);
  });

  it('reads on after a reading that failed', async () => {
    const failures = [new Error('unreadable')];
    const sources = (): Promise<readonly DefinitionSource[]> => {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve([]) : Promise.reject(failure);
    };
    const reader = new DefinitionReader(() => [sourceOf('demo')], { sources });
    await assert.rejects(reader.read(), /unreadable/);
    assert.deepEqual(
      (await reader.read()).definitions.map(({ name }) => name),
      ['demo'],
    );
  });
});
