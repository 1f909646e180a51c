import { writeFileSync } from 'node:fs';
import { generatedPages, regenerate } from './generatedPages.ts';

for (const page of generatedPages) {
  writeFileSync(page.path, await regenerate(page));
}
