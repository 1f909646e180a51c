import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A package of other people of which something is in the extension.
 *
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license as its package.json says it
 * @property {string} folder relative to the repository
 */

/** @typedef {{ readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>> }} Built what esbuild says of a bundle */

/**
 * @param {Iterable<Built>} bundles
 * @returns {Set<string>} the files, relative to the repository, of which something is left in a bundle
 */
export function filesIn(bundles) {
  const files = new Set();
  for (const { outputs } of bundles) {
    for (const { inputs } of Object.values(outputs)) {
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .forEach(([file]) => files.add(file));
    }
  }
  return files;
}

/**
 * @param {Iterable<string>} files relative to the repository
 * @param {string} root of the repository
 * @returns {BundledPackage[]} in the order of their names
 */
export function packagesOf(files, root) {
  const folders = new Set([...files].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
      return { name, version, license, folder };
    })
    .sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1));
}

/**
 * The notices that go with the extension: whose work is in it, and under which licence, word by word. Packages with the same text
 * share it.
 *
 * @param {readonly BundledPackage[]} packages
 * @param {string} root of the repository
 */
export function noticesOf(packages, root) {
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const bundled of packages) {
    const text = licenseTextOf(bundled, root);
    byText.set(text, [...(byText.get(text) ?? []), `${bundled.name} ${bundled.version} (${bundled.license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${'='.repeat(80)}\n${names.join('\n')}\n${'='.repeat(80)}\n\n${text}\n`);
  return ['Parts of this extension are the work of others, under these licences.\n', ...parts].join('\n');
}

/**
 * The text that the package brings along. One that only says that it is under MIT gets the text of that licence, which ours has.
 *
 * @param {BundledPackage} bundled
 * @param {string} root of the repository
 */
function licenseTextOf({ name, license, folder }, root) {
  const files = readdirSync(path.join(root, folder)).filter((file) => /^(?:licen[sc]e|copying|notice)(?:[.-].*)?$/i.test(file));
  if (files.length === 0 && license === 'MIT') {
    return readFileSync(path.join(root, 'LICENSE'), 'utf8')
      .replace(/^Copyright.*$/m, `Copyright (c) the authors of ${name}`)
      .trim();
  }
  if (files.length === 0) {
    throw new Error(`${name} has no file with its licence: the extension cannot be packaged with it.`);
  }
  const texts = files.sort().map((file) =>
    readFileSync(path.join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim(),
  );
  return [...new Set(texts)].join('\n\n');
}
