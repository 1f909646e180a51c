import assert from 'node:assert/strict';
import { silentLog } from '../../../src/base/log.ts';
import { readSetting } from '../../../src/contract/settings/readSetting.ts';
import type * as SettingsReaderModule from '../../../src/editor/settingsReader.ts';
import { importWithFakes } from '../../support/build/importWithFakes.ts';

/** What VS Code says about settings: its own values, and those of the person, the workspace and its folders. */
interface Scopes {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

const settings = new Map<string, Scopes>();
/** The manifests of the extensions that are installed. */
const manifests: object[] = [];
/** VS Code tells a value of a folder only to who asks for that folder. */
const fakeEditor = {
  settings,
  manifests,
  inspect: (name: string, place: unknown): Scopes | undefined => {
    const { workspaceFolderValue, ...others } = settings.get(name) ?? {};
    return place === undefined ? others : { ...others, workspaceFolderValue };
  },
};
Object.assign(globalThis, { fakeEditor });

const program = "export { IgnoredSettings, terminalSettings } from './src/editor/settingsReader.ts';";
const vscode = `
  const merged = ({ defaultValue, globalValue, workspaceValue } = {}) => workspaceValue ?? globalValue ?? defaultValue;
  export const env = { shell: '/bin/bash' };
  export const extensions = { get all() { return fakeEditor.manifests.map((packageJSON) => ({ packageJSON })); } };
  export const workspace = {
    workspaceFolders: [{ uri: 'one' }, { uri: 'two' }],
    getConfiguration: (_, place) => ({
      inspect: (name) => fakeEditor.inspect(name, place),
      get: (name) => merged(fakeEditor.settings.get(name)),
    }),
  };`;
const { IgnoredSettings, terminalSettings } = await importWithFakes<typeof SettingsReaderModule>(program, { vscode });

describe('What settings say about terminals', () => {
  afterEach(() => {
    settings.clear();
    manifests.length = 0;
  });
  after(() => Reflect.deleteProperty(globalThis, 'fakeEditor'));

  it('is only the shell where they are as VS Code made them', () => {
    settings.set('terminal.integrated.profiles.linux', { defaultValue: { bash: { path: 'bash' } } });
    settings.set('terminal.integrated.inheritEnv', { defaultValue: true });
    assert.deepEqual(terminalSettings('linux'), { values: { shell: '/bin/bash' }, ofWorkspace: [], ofExtensions: [] });
  });

  it('is what the person chose, on this system', () => {
    const bash = { path: 'bash' };
    settings.set('terminal.integrated.profiles.linux', { defaultValue: { bash }, globalValue: { bash, own: { path: 'fish' } } });
    settings.set('terminal.integrated.env.osx', { defaultValue: {}, globalValue: { A: '1' } });
    assert.deepEqual(terminalSettings('linux'), {
      values: { shell: '/bin/bash', 'terminal.integrated.profiles.linux': { own: { path: 'fish' } } },
      ofWorkspace: [],
      ofExtensions: [],
    });
    assert.deepEqual(terminalSettings('darwin').values['terminal.integrated.env.osx'], { A: '1' });
  });

  for (const [platform, system] of [
    ['linux', 'linux'],
    ['darwin', 'osx'],
    ['win32', 'windows'],
  ] as const) {
    for (const scope of ['workspaceValue', 'workspaceFolderValue'] as const) {
      it(`comes from the workspace where its ${scope} is set, on ${platform}`, () => {
        const names = ['automationProfile', 'defaultProfile', 'profiles', 'env'].map((name) => `terminal.integrated.${name}.${system}`);
        names.forEach((name) => settings.set(name, { [scope]: 'x' }));
        assert.deepEqual(terminalSettings(platform).ofWorkspace, names);
      });
    }
  }

  describe('of other extensions', () => {
    const restrictedConfigurations = ['go.alternateTools', 'go.goroot'];
    const go = {
      contributes: {
        configuration: { properties: { 'go.goroot': { scope: 'machine-overridable' }, 'go.lintTool': { scope: 'resource' } } },
      },
      capabilities: { untrustedWorkspaces: { supported: 'limited', restrictedConfigurations } },
    };
    const environments = {
      contributes: { configuration: [{ properties: { 'python-envs.defaultEnvManager': { scope: 'machine-overridable' } } }] },
    };
    const ownAndBuiltIn = [
      { isBuiltin: true, capabilities: { untrustedWorkspaces: { restrictedConfigurations: ['typescript.tsdk'] } } },
      { capabilities: { untrustedWorkspaces: { restrictedConfigurations: ['duplex.mcpServers'] } } },
      { contributes: { configuration: [7, { properties: 7 }] }, capabilities: 7 },
    ];
    beforeEach(() => manifests.push(go, environments, ...ownAndBuiltIn));

    it('is part of them where the workspace sets what an extension runs', () => {
      settings.set('go.goroot', { workspaceValue: './evil', globalValue: '/usr/lib/go' });
      settings.set('go.alternateTools', { workspaceFolderValue: { go: './evil/go' } });
      settings.set('python-envs.defaultEnvManager', { workspaceValue: 'one', workspaceFolderValue: 'two' });
      ['go.lintTool', 'typescript.tsdk', 'duplex.mcpServers'].forEach((name) => settings.set(name, { workspaceValue: 'x' }));
      const chosen = { 'go.alternateTools': { go: './evil/go' }, 'go.goroot': './evil', 'python-envs.defaultEnvManager': ['one', 'two'] };
      assert.deepEqual(terminalSettings('linux'), {
        values: { shell: '/bin/bash', ...chosen },
        ofWorkspace: [],
        ofExtensions: Object.keys(chosen),
      });
    });

    it('is not part of them where only the person sets it', () => {
      settings.set('go.goroot', { defaultValue: '', globalValue: '/usr/lib/go' });
      assert.deepEqual(terminalSettings('linux'), { values: { shell: '/bin/bash' }, ofWorkspace: [], ofExtensions: [] });
    });

    it('stays short, and another value still shows', () => {
      const names = Array.from({ length: 200 }, (_, index) => `many.${index}`);
      manifests.push({
        contributes: { configuration: { properties: Object.fromEntries(names.map((name) => [name, { scope: 'machine' }])) } },
      });
      const shownWith = (value: string, name: string): string => {
        names.forEach((each) => settings.set(each, { workspaceValue: each === name ? value : 'x'.repeat(5_000) }));
        return JSON.stringify(terminalSettings('linux').values);
      };
      const [first, last] = [[...names].sort()[0] ?? '', [...names].sort().at(-1) ?? ''];
      const texts = [shownWith('x'.repeat(5_000), first), shownWith(`${'x'.repeat(5_000)}y`, first), shownWith('y', last)];
      assert.ok(texts.every((text) => text.length < 70_000));
      assert.equal(new Set(texts).size, 3);
    });
  });
});

describe('What the log says of a malformed setting', () => {
  it('names the setting and the reason, again only when it is another one', () => {
    const warnings: string[] = [];
    const ignored = new IgnoredSettings({ ...silentLog, warn: (message) => warnings.push(message) });
    const values = [3, 'a', 'b', -1, -1, 5, -1].map((value) =>
      ignored.usable('duplex.server.port', readSetting('duplex.server.port', value)),
    );
    assert.deepEqual(values, [3, 0, 0, 0, 0, 5, 0]);
    assert.deepEqual(warnings, [
      'duplex.server.port must be a number; it is ignored.',
      'duplex.server.port must be at least 0; it is ignored.',
      'duplex.server.port must be at least 0; it is ignored.',
    ]);
  });

  it('is said once even when the log asks for the setting before it writes', () => {
    const warnings: string[] = [];
    const level = (): string => ignored.usable('duplex.log.level', readSetting('duplex.log.level', 'loud'));
    const ignored: InstanceType<typeof IgnoredSettings> = new IgnoredSettings({ ...silentLog, warn: () => warnings.push(level()) });
    assert.deepEqual([level(), warnings], ['info', ['info']]);
  });
});
