import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { outFolder, repositoryRoot } from './repository.mjs';
import { contentOf, listSources } from './unchanged.mjs';

const memoryFile = path.join(outFolder, 'lint-passed.json');

/** What the linter looks at; it knows itself what of it to leave out. */
const linted = /\.(?:[cm]?ts|tsx|[cm]?js)$/;

/** What can change the verdict on every file: how files are checked, and types that nobody has to import. */
const concernsAll = /(?:^|\/)(?:eslint\.config\.mjs|tsconfig\.json|package\.json)$|\.d\.ts$/;
const declaresForAll = /^\s*declare\s+(?:global|module)\b/m;
const isModule = /^\s*(?:import|export)\b/m;

/** Too many names may stand here, but never too few. */
const relativeNames = /(['"])(\.{1,2}\/[^'"\n]*)\1/g;

/** @returns {ReadonlyMap<string, string> | undefined} nothing where there is no git to list the files */
export function lintKeys() {
  const sources = listSources()?.filter((file) => existsSync(path.join(repositoryRoot, file)));
  const packages = String(contentOf(path.join('node_modules', '.package-lock.json')));
  return sources && keysOf(new Map(sources.map((file) => [file, String(contentOf(file))])), [process.version, packages]);
}

/**
 * The linter knows types, so its verdict on a file depends on everything that the file imports, and so on. Each file is
 * kept with a word for all of that.
 *
 * @param {ReadonlyMap<string, string>} texts of all files, by their path in the repository
 * @param {readonly string[]} tools
 * @returns {ReadonlyMap<string, string>} the word for each file that is linted
 */
export function keysOf(texts, tools) {
  const hashes = new Map([...texts].map(([file, text]) => [file, hashOf([text])]));
  const sources = [...texts].filter(([file]) => linted.test(file));
  const imports = new Map(sources.map(([file, text]) => [file, importedBy(file, text, texts)]));
  const common = [...texts].filter(([file, text]) => concernsAll.test(file) || (linted.test(file) && speaksToAll(text)));
  const words = (/** @type {readonly string[]} */ files) => files.map((file) => `${file} ${hashes.get(file)}`);
  const seed = hashOf([...tools, ...words(common.map(([file]) => file))]);
  return new Map(sources.map(([file]) => [file, hashOf([seed, ...words(reachedFrom(file, imports))])]));
}

/**
 * @param {ReadonlyMap<string, string>} keys
 * @returns {string[]} what has to be linted
 */
export function notYetPassed(keys) {
  const passed = readMemory();
  return [...keys].filter(([file, key]) => passed[file] !== key).map(([file]) => file);
}

/** @param {ReadonlyMap<string, string>} keys */
export function rememberLinted(keys) {
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(memoryFile, JSON.stringify(Object.fromEntries(keys)));
}

/** @returns {Readonly<Record<string, string>>} */
function readMemory() {
  try {
    return JSON.parse(readFileSync(memoryFile, 'utf8'));
  } catch {
    return {}; // none yet, or half of one
  }
}

/** @param {string} text */
function speaksToAll(text) {
  return declaresForAll.test(text) || !isModule.test(text);
}

/**
 * @param {string} file
 * @param {string} text
 * @param {ReadonlyMap<string, unknown>} known
 * @returns {string[]}
 */
function importedBy(file, text, known) {
  const names = [...text.matchAll(relativeNames)].map(([, , name = '']) => path.posix.join(path.posix.dirname(file), name));
  return names.flatMap((name) =>
    [name, ...['.ts', '.tsx', '.mjs', '.js'].map((end) => `${name.replace(/\.\w+$/, '')}${end}`)].filter((each) => known.has(each)),
  );
}

/**
 * @param {string} file
 * @param {ReadonlyMap<string, readonly string[]>} imports
 * @returns {string[]} sorted, the file itself among them
 */
function reachedFrom(file, imports) {
  const reached = new Set([file]);
  for (const each of reached) {
    imports.get(each)?.forEach((next) => reached.add(next));
  }
  return [...reached].sort();
}

/** @param {readonly string[]} parts */
function hashOf(parts) {
  const hash = createHash('sha256');
  parts.forEach((part) => hash.update(part).update('\0'));
  return hash.digest('hex');
}
