import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { outFolder } from '../../support/run/repository.mjs';
import type { Workbench } from './workbench.ts';

const failuresFolder = path.join(outFolder, 'ui-failures');

/** Keeps what a person needs to understand a failure: the picture, what the pages hold and say, the logs of VS Code and the extension's own. */
export async function keepEvidence(title: string, workbenches: Iterable<Workbench>): Promise<void> {
  for (const [index, workbench] of [...workbenches].entries()) {
    const folder = path.join(failuresFolder, fileName(title), index === 0 ? '' : `window${index + 1}`);
    await mkdir(folder, { recursive: true });
    await Promise.allSettled([
      workbench.screenshot(path.join(folder, 'screenshot.png')),
      cp(path.join(workbench.folders.data, 'data', 'logs'), path.join(folder, 'logs'), { recursive: true }),
      writeFile(path.join(folder, 'server.log'), workbench.server.output()),
      workbench.report.text().then((text) => writeFile(path.join(folder, 'pages.txt'), text)),
    ]);
    console.log(`    evidence in ${path.relative(process.cwd(), folder)}`);
  }
}

function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100);
}
