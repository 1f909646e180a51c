// `npm run shape [-- --short]`: what the source looks like as a whole. It prints and judges nothing: a reviewer does.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** More entries than this, files and folders together, and a folder is hard to look through. */
const maxEntries = 20;
/** A file of at most so many lines that is only there for its neighbour is a splinter of it. */
const maxSplinterLines = 40;

/**
 * @typedef {object} SourceFile
 * @property {string} name relative to the repository
 * @property {number} lines
 * @property {readonly string[]} imports names of files of ours
 * @property {readonly string[]} exports
 */

const files = sourceFiles();
const lines = files.map((file) => file.lines).sort((one, other) => one - other);
const [largest] = [...files].sort((one, other) => other.lines - one.lines);
const folders = fullFolders();
const splinters = findSplinters();
const duplicates = findDuplicates();

console.log(
  [
    `${count(files.length)} files, ${count(lines.reduce((sum, each) => sum + each, 0))} lines`,
    `median ${lines[Math.floor(lines.length / 2)] ?? 0}`,
    `largest ${largest?.lines ?? 0} (${largest?.name ?? ''})`,
    `${folders.length} folders over ${maxEntries} entries`,
    `${splinters.length} files of at most ${maxSplinterLines} lines whose only importer stands beside them`,
    `${duplicates.length} names exported more than once`,
  ].join('; '),
);
if (!process.argv.includes('--short')) {
  print(`Folders over ${maxEntries} entries`, folders);
  print(`Files of at most ${maxSplinterLines} lines whose only importer stands beside them`, splinters);
  print('Names exported more than once', duplicates);
}

/** @returns {readonly SourceFile[]} */
function sourceFiles() {
  const names = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('src', name.split(path.sep).join('/')))
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.endsWith('.d.ts'));
  return names.sort().map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    const specifiers = [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']+)'/g)].map(([, specifier = '']) => specifier);
    const declared = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
    return {
      name,
      lines: text.split('\n').length - 1,
      imports: [...new Set(specifiers.map((specifier) => path.posix.join(path.posix.dirname(name), specifier)))],
      exports: [...new Set([...text.matchAll(declared)].map(([, each = '']) => each))],
    };
  });
}

function fullFolders() {
  /** @type {Map<string, Set<string>>} */
  const entries = new Map();
  for (const { name } of files) {
    const steps = name.split('/');
    steps.slice(1).forEach((step, index) => {
      const folder = steps.slice(0, index + 1).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(step));
    });
  }
  return [...entries].filter(([, inside]) => inside.size > maxEntries).map(([folder, inside]) => `${folder}: ${inside.size}`);
}

function findSplinters() {
  return files
    .filter((file) => file.lines <= maxSplinterLines)
    .flatMap(({ name, lines: length }) => {
      const importers = files.filter(({ imports }) => imports.includes(name));
      const [only] = importers;
      const isSplinter = only !== undefined && importers.length === 1 && path.dirname(only.name) === path.dirname(name);
      return isSplinter ? [`${name} (${length}), for ${path.basename(only.name)}`] : [];
    });
}

function findDuplicates() {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const { name, exports } of files) {
    exports.forEach((each) => places.set(each, [...(places.get(each) ?? []), name]));
  }
  return [...places]
    .filter(([, all]) => all.length > 1)
    .map(([each, all]) => `${each}: ${all.join(', ')}`)
    .sort();
}

/**
 * @param {string} title
 * @param {readonly string[]} rows
 */
function print(title, rows) {
  console.log(`\n${title}: ${rows.length === 0 ? 'none' : ''}`);
  rows.forEach((row) => console.log(`  ${row}`));
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en');
}
