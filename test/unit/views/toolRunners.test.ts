import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { RunnerTabs } from '../../../src/views/runnerTabs.ts';
import type { ToolRunners as Runners, ToolRunnersOptions } from '../../../src/views/toolRunners.ts';
import { importWithFakes } from '../../support/build/importWithFakes.ts';

interface Program {
  readonly ToolRunners: new (options: ToolRunnersOptions) => Runners;
  readonly serializers: Map<string, vscode.WebviewPanelSerializer>;
}

const program = "export { ToolRunners } from './src/views/toolRunners.ts'; export { serializers } from 'vscode';";
const editor = `
  export const serializers = new Map();
  export const window = {
    registerWebviewPanelSerializer: (name, serializer) => (serializers.set(name, serializer), { dispose() {} }),
  };`;

describe('The tabs of Run Tool', function () {
  this.timeout(60_000);

  it('are shown after a reload, also when what they need could only be loaded later', async () => {
    const { ToolRunners, serializers } = await importWithFakes<Program>(program, { vscode: editor });
    const said: string[] = [];
    const tabs = {
      restore: (_: unknown, stored: unknown) => said.push(`restores ${String(stored)}`),
      showRun: () => said.push('shows a run'),
      dispose: () => undefined,
    } as unknown as RunnerTabs;
    const attempts = [Promise.resolve(tabs), Promise.reject(new Error('the disk was away'))];
    const runners = new ToolRunners({
      serversKnown: Promise.resolve(),
      load: () => attempts.pop() ?? Promise.resolve(tabs),
      report: (error) => said.push(String(error)),
    });
    const panel = { onDidDispose: () => ({ dispose: () => undefined }) } as unknown as vscode.WebviewPanel;
    await serializers.get('duplex.runner')?.deserializeWebviewPanel(panel, 'one');
    assert.deepEqual(said, ['Error: the disk was away']);
    await runners.showRun({ serverId: 'server', tool: 'other' }, {} as Parameters<Runners['showRun']>[1]);
    await serializers.get('duplex.runner')?.deserializeWebviewPanel(panel, 'two');
    assert.deepEqual(said.slice(1).sort(), ['restores one', 'restores two', 'shows a run']);
    runners.dispose();
  });
});
