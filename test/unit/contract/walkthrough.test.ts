import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { commands } from '../../../src/contract/commands.ts';
import type { contextFlags } from '../../../src/views/native/contextFlags.ts';
import { importWithFakes } from '../../support/build/importWithFakes.ts';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image: Readonly<Record<'light' | 'dark' | 'hc' | 'hcLight', string>>; readonly altText: string };
  readonly completionEvents: readonly string[];
}

const maxPictureBytes = 40 * 1024;
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

  it('has words for everything, also for its pictures', () => {
    const keys = [
      ...[...manifest.contributes.walkthroughs, ...steps].flatMap(({ title, description }) => [title, description]),
      ...steps.map(({ media }) => media.altText),
    ];
    assert.deepEqual(
      keys.filter((key) => !/^%.+%$/.test(key) || textOf(key) === ''),
      [],
    );
  });

  it('has a picture for light and for dark in each step, small enough to come with the extension', () => {
    for (const { id, media } of steps) {
      const { light, dark, hc, hcLight } = media.image;
      const of = (theme: string): string => `media/walkthrough/${id}-${theme}.png`;
      assert.deepEqual([light, dark, hc, hcLight], [of('light'), of('dark'), of('dark'), of('light')]);
      for (const file of [light, dark]) {
        const picture = readFileSync(path.join(root, file));
        assert.equal(picture.toString('latin1', 1, 4), 'PNG', file);
        assert.ok(picture.length <= maxPictureBytes, `${file} has ${picture.length} bytes`);
      }
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

  it('names only commands as the palette has them', () => {
    const titles = Object.entries(texts).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []));
    const named = steps.flatMap(({ description }) =>
      [...textOf(description).matchAll(/\*\*Duplex: ([^*]+)\*\*/g)].map(([, title = '']) => title),
    );
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('ticks each step off by what the extension tells VS Code, and tells nothing that no step wants', async () => {
    const program = "export { contextFlags } from './src/views/native/contextFlags.ts';";
    const loaded = await importWithFakes<{ contextFlags: typeof contextFlags }>(program, { vscode: 'export const commands = {};' });
    assert.deepEqual(
      steps.map(({ completionEvents }) => completionEvents),
      loaded.contextFlags.map((name) => [`onContext:${name}`]),
    );
  });
});
