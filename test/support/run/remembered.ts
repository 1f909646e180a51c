import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { outFolder } from './repository.mjs';
import { fingerprintOfSources } from './unchanged.mjs';

interface Memory {
  readonly fingerprint: string;
  readonly findings: readonly string[];
}

/**
 * What a search through all code found. It takes many seconds and depends on nothing but the files of the repository and the
 * installed packages, so that it is done again only when one of them has changed. What was found is judged each time.
 */
export function rememberedFindings(
  name: string,
  search: () => readonly string[],
  takeFingerprint: () => string | undefined = fingerprintOfSources,
  folder: string = outFolder,
): readonly string[] {
  const fingerprint = takeFingerprint();
  const file = path.join(folder, `findings-${name}.json`);
  const memory = readMemory(file);
  if (fingerprint !== undefined && memory?.fingerprint === fingerprint) {
    return memory.findings;
  }
  const findings = search();
  if (fingerprint !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ fingerprint, findings } satisfies Memory));
  }
  return findings;
}

function readMemory(file: string): Memory | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Memory;
  } catch {
    return undefined; // none yet, or half of one
  }
}
