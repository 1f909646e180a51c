import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../ui/harness/workbench.ts';
import { repositoryRoot } from '../run/repository.mjs';
import { smallPng } from './smallPng.ts';

const themes = [
  ['light', 'Default Light Modern', 'vs'],
  ['dark', 'Default Dark Modern', 'vs-dark'],
] as const;

/** What of the window is in a picture: all of it unless something else is said. */
export interface Frame {
  readonly of?: Locator;
  /** Cut away below this many pixels. */
  readonly height?: number;
  /** Of the left or the upper edge of `of`, where a neighbour begins. */
  readonly inset?: number;
}

/** Takes each picture in a light and in a dark theme, and puts it into a folder of `media/`. */
export class Photographer {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** `before` sets the scene in each theme anew. */
  async take(file: string, frame: Frame = {}, before: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (const [name, theme, baseClass] of themes) {
      await this.#wear(theme, baseClass);
      await before();
      await this.#untilStill();
      const clip = await clipOf(frame);
      const picture = await this.#workbench.page.screenshot({ caret: 'hide', ...(clip === undefined ? {} : { clip }) });
      await keep(`${file}-${name}.png`, picture);
    }
  }

  async #wear(theme: string, baseClass: string): Promise<void> {
    const { page, folders } = this.#workbench;
    const settings = path.join(folders.workspace ?? '', '.vscode', 'settings.json');
    const now = parse(await readFile(settings, 'utf8').catch(() => '{}')) as Record<string, unknown>;
    if (now['workbench.colorTheme'] !== theme) {
      await mkdir(path.dirname(settings), { recursive: true });
      await writeFile(settings, JSON.stringify({ ...now, 'workbench.colorTheme': theme }));
    }
    await page.locator(`.monaco-workbench.${baseClass}`).waitFor();
    for (const frame of page.frames().filter((each) => each.url().includes('fake.html'))) {
      const wanted = baseClass === 'vs' ? 'vscode-light' : 'vscode-dark';
      await frame
        .locator(`body.${wanted}`)
        .waitFor({ state: 'attached', timeout: 10_000 })
        .catch(() => undefined);
    }
  }

  /** Two looks at the same thing: what is drawn anew after a change of the theme is done with it. */
  async #untilStill(): Promise<void> {
    const { page } = this.#workbench;
    for (let before = '', now = ' '; before !== now;) {
      before = now;
      await page.waitForTimeout(400);
      now = (await page.screenshot({ caret: 'hide' })).toString('latin1');
    }
  }
}

export async function keep(file: string, picture: Buffer): Promise<void> {
  const target = path.join(repositoryRoot, 'media', file);
  await mkdir(path.dirname(target), { recursive: true });
  const small = smallPng(picture);
  await writeFile(target, small);
  console.log(`media/${file}  ${Math.ceil(small.length / 1024)} KB`);
}

async function clipOf({
  of,
  height = Infinity,
  inset = 0,
}: Frame): Promise<{ x: number; y: number; width: number; height: number } | undefined> {
  const box = await of?.boundingBox();
  return box ? { x: box.x + inset, y: box.y, width: box.width - inset, height: Math.min(box.height, height) } : undefined;
}
