/**
 * `npm run pictures [-- both-sides | offline | chat | app | tools …]`: takes the pictures of the page in the marketplace and of the walkthrough, of the packaged extension in a
 * real window, each in a light and a dark theme. The model is a stand-in that says what the script wants; everything else is real.
 */
import path from 'node:path';
import process from 'node:process';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import type { LaunchOptions } from '../../ui/harness/launchOptions.ts';
import { Workbench } from '../../ui/harness/workbench.ts';
import { ensurePeer } from '../peers/peers.mjs';
import { hasBoxPrograms } from '../run/boxPrograms.mjs';
import { buildStep, packageStep, runStep } from '../run/buildSteps.mjs';
import { ensureDependencies } from '../run/ensureDependencies.mjs';
import { exitWithNpm } from '../run/exitWithNpm.mjs';
import { outFolder } from '../run/repository.mjs';
import { takeBothSides } from './bothSides.ts';
import { Photographer } from './photographer.ts';
import { type Scene, settingsOfApp, settingsOfScenes, takeApp, takeChat, takeOffline, takeTools } from './scenes.ts';

const viewport = { width: 1280, height: 760 };
const only = process.argv.slice(2);

exitWithNpm();
await ensureDependencies();
console.log('Building Duplex …');
if (!(await runStep(buildStep)) || !(await runStep(packageStep))) {
  process.exit(1);
}
const model = await AnthropicServer.start({ models: [{ id: 'claude', name: 'Claude' }] });
const withModel = { ANTHROPIC_API_KEY: model.apiKey };
const atModel = { 'duplex.anthropic.baseUrl': model.url };
const boxes: Readonly<Record<string, string>> = (await hasBoxPrograms()) ? { DUPLEX_BUBBLEWRAP: '/usr/bin/bwrap' } : {};

const series: Readonly<Record<string, () => Promise<void>>> = {
  'both-sides': takeBothSides,
  offline: () => inWindow({}, takeOffline),
  chat: () => inWindow({ settings: { ...settingsOfScenes, ...atModel }, env: { ...withModel, ...boxes } }, takeChat),
  app: async () => {
    const settings = { ...settingsOfApp(await ensurePeer('apps')), ...atModel };
    await inWindow({ settings, env: withModel, workspace: 'plain', viewport: { width: 1280, height: 900 } }, takeApp);
  },
  tools: () => inWindow({ settings: settingsOfScenes }, takeTools),
};
for (const name of only.length === 0 ? Object.keys(series) : only) {
  await series[name]?.();
}
await model.close();
process.exit(0);

async function inWindow(options: LaunchOptions, take: (scene: Scene) => Promise<void>): Promise<void> {
  const workbench = await Workbench.launch({ version: 'ceiling', viewport, ...options });
  try {
    await take({ workbench, model, camera: new Photographer(workbench) });
  } catch (error) {
    await workbench.screenshot(path.join(outFolder, 'pictures-failure.png'));
    throw error;
  } finally {
    await workbench.dispose();
  }
}
