import { readFileSync, writeFileSync } from 'node:fs';
import { readmePath, withReference } from './reference.ts';

writeFileSync(readmePath, await withReference(readFileSync(readmePath, 'utf8')));
