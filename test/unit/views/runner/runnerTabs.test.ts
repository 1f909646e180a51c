import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { RunnerTabs } from '../../../../src/views/runner/runnerTabs.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { closablePanel } from '../closablePanel.ts';

interface Program {
  readonly RunnerTabs: new (ports: object) => RunnerTabs;
}

const editor = `
  export const Uri = { joinPath: (...parts) => parts.join('/') };
  export const env = { language: 'en' };
  export const l10n = { t: (text, ...args) => text.replace('{0}', args[0]) };`;

describe('The tab of Run Tool after a reload', function () {
  this.timeout(60_000);

  it('is filled when the servers are known, unless the person closed it by then', async () => {
    const loaded = await importWithFakes<Program>("export { RunnerTabs } from './src/views/runner/runnerTabs.ts';", { vscode: editor });
    let known: () => void = () => undefined;
    const serversKnown = new Promise<void>((resolve) => (known = resolve));
    const silent = (): vscode.Disposable => ({ dispose: () => undefined });
    const tabs = new loaded.RunnerTabs({ extensionUri: 'extension', serversKnown, onDidChange: silent, kept: { onDidChange: silent } });
    const stored = { key: { serverId: 'user:s', tool: 'draw' } };
    const [goes, stays] = [closablePanel(), closablePanel()];
    const restored = [goes, stays].map(({ panel }) => tabs.restore(panel, stored));
    goes.panel.dispose();
    known();
    await Promise.all(restored);
    assert.deepEqual([goes.page.html, stays.panel.title, stays.page.html !== ''], ['', 'Run draw', true]);
    tabs.dispose();
  });
});
