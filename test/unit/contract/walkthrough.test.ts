import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { commands } from '../../../src/contract/commands.ts';
import { views } from '../../../src/contract/identity.ts';
import type { contextFlags } from '../../../src/views/contextFlags.ts';
import { importWithFakes } from '../../support/build/importWithFakes.ts';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly markdown: string };
  readonly completionEvents: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  contributes: { walkthroughs: readonly { title: string; description: string; steps: readonly Step[] }[] };
};
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
const textOf = (key: string): string => texts[key.slice(1, -1)] ?? '';
const commandIds = commands.map((name) => `duplex.${name}`);
const steps = manifest.contributes.walkthroughs.flatMap((each) => each.steps);

describe('The walkthrough', function () {
  this.timeout(60_000);

  it('goes from the first try to a look back', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['offline', 'addServer', 'runTool', 'connectAgent', 'seeWhatWasDone'],
    );
  });

  it('has words for everything, and each step a page without pictures from elsewhere', () => {
    const keys = [...manifest.contributes.walkthroughs, ...steps].flatMap(({ title, description }) => [title, description]);
    assert.deepEqual(
      keys.filter((key) => !/^%.+%$/.test(key) || textOf(key) === ''),
      [],
    );
    for (const { media } of steps) {
      assert.ok(existsSync(path.join(root, media.markdown)), media.markdown);
      assert.doesNotMatch(read(media.markdown), /!\[|<img|\.svg/);
    }
  });

  it('has a button in each step, and each button is a command that there is', () => {
    for (const { id, description } of steps) {
      const buttons = [...textOf(description).matchAll(/\]\(command:([^)]+)\)/g)].map(([, command = '']) => command);
      assert.ok(buttons.length > 0, id);
      assert.deepEqual(
        buttons.filter((command) => !commandIds.includes(command)),
        [],
      );
    }
  });

  it('names in its pages only commands as the palette has them', () => {
    const titles = Object.entries(texts).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []));
    const named = steps.flatMap(({ media }) =>
      [...read(media.markdown).matchAll(/\*\*Duplex: ([^*]+)\*\*/g)].map(([, title = '']) => title),
    );
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('ticks a step off by something that happens: a command, a view, or what the extension tells VS Code', async () => {
    const program = "export { contextFlags } from './src/views/contextFlags.ts';";
    const loaded = await importWithFakes<{ contextFlags: typeof contextFlags }>(program, { vscode: 'export const commands = {};' });
    const real = new Set([
      ...commandIds.map((id) => `onCommand:${id}`),
      ...Object.values(views).map((id) => `onView:${id}`),
      ...loaded.contextFlags.map((name) => `onContext:${name}`),
    ]);
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      assert.deepEqual(
        completionEvents.filter((event) => !real.has(event)),
        [],
      );
    }
  });
});
