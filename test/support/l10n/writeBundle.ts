import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { bundlePath, bundleText, gatherTexts } from './gatherTexts.ts';

const texts = gatherTexts();
texts.problems.forEach((problem) => console.error(problem));
mkdirSync(path.dirname(bundlePath), { recursive: true });
writeFileSync(bundlePath, bundleText(texts));
console.log(`${Object.keys(texts.bundle).length} texts`);
process.exitCode = texts.problems.length > 0 ? 1 : 0;
