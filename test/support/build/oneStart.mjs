// How esbuild.mjs builds the extension for its package: what a window loads when it opens is one file.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';

/** @typedef {esbuild.Metafile['outputs'][string] & { readonly text: string }} Output */
/** @typedef {ReadonlyMap<string, Output>} Outputs by the path of the file */

const startName = 'start.js';

/**
 * Splitting makes a file of every set of modules that the same parts need: dozens that a window would load one by one when it
 * opens. What they hold is put into one file; what is loaded later refers to that.
 *
 * @param {esbuild.BuildOptions & { absWorkingDir: string }} options of a bundle whose entry is `extension`, its chunks in chunks/
 */
export async function buildWithOneStart(options) {
  const { outdir = '' } = options;
  const outputs = await split(options);
  const done = new Set(['entryPoints', 'outdir', 'splitting', 'chunkNames', 'banner']);
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => !done.has(name)));
  const folder = path.join(options.absWorkingDir, outdir, 'chunks');
  const entry = path.join(options.absWorkingDir, outdir, 'extension.js');
  const first = filesOfStart(entry, outputs);
  const later = [...outputs.keys()].filter((file) => !first.includes(file));
  await mkdir(folder, { recursive: true });
  await writeFile(entry, `export{activate,deactivate}from"./chunks/${startName}";\n`);
  await esbuild.build({
    ...common,
    outfile: path.join(folder, startName),
    stdin: { contents: startText(entry, first, outputs), resolveDir: folder },
    plugins: [withBuilt(outputs, (file) => (first.includes(file) ? 'inside' : 'apart'))],
  });
  await esbuild.build({
    ...common,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' }, // of the start, which was evaluated before
    outdir: folder,
    entryPoints: later,
    plugins: [withBuilt(outputs, (file, isEntry) => (isEntry ? 'inside' : first.includes(file) ? 'ofStart' : 'apart'), first)],
  });
}

/** @param {esbuild.BuildOptions & { absWorkingDir: string }} options */
async function split(options) {
  const { metafile, outputFiles } = await esbuild.build({ ...options, metafile: true, write: false, logLevel: 'warning' });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [file, text]));
  return new Map(
    Object.entries(metafile.outputs).map(([name, output]) => {
      const file = path.join(options.absWorkingDir, name);
      const imports = output.imports.map((each) => ({ ...each, path: path.join(options.absWorkingDir, each.path) }));
      return [file, { ...output, imports, text: texts.get(file) ?? '' }];
    }),
  );
}

/**
 * @param {string} entry
 * @param {Outputs} outputs
 */
function filesOfStart(entry, outputs) {
  const files = new Set([entry]);
  for (const file of files) {
    const { imports = [] } = outputs.get(file) ?? {};
    imports.filter(({ path: next, kind }) => kind === 'import-statement' && outputs.has(next)).forEach(({ path: next }) => files.add(next));
  }
  return [...files];
}

/**
 * Everything that one of the files has for others, under a name of its own.
 *
 * @param {string} entry
 * @param {readonly string[]} first
 * @param {Outputs} outputs
 */
function startText(entry, first, outputs) {
  const lines = first
    .filter((file) => file !== entry)
    .map((file) => `export { ${named(file, first, outputs, (own, shared) => `${own} as ${shared}`)} } from ${JSON.stringify(file)};`);
  return [`export { activate, deactivate } from ${JSON.stringify(entry)};`, ...lines].join('\n');
}

/**
 * @param {string} file
 * @param {readonly string[]} first
 * @param {Outputs} outputs
 * @param {(own: string, shared: string) => string} clause
 */
function named(file, first, outputs, clause) {
  const names = outputs.get(file)?.exports ?? [];
  return names.map((own) => clause(own, `${own}_${first.indexOf(file)}`)).join(', ');
}

/**
 * Reads what was built from memory: `inside` is put into the file that is being made, `ofStart` is what the start has of it,
 * `apart` stays a file of its own.
 *
 * @param {Outputs} outputs
 * @param {(file: string, isEntry: boolean) => 'inside' | 'ofStart' | 'apart'} placeOf
 * @param {readonly string[]} [first]
 * @returns {esbuild.Plugin}
 */
function withBuilt(outputs, placeOf, first = []) {
  return {
    name: 'withBuilt',
    setup(build) {
      build.onResolve({ filter: /^(?:[./]|[A-Za-z]:\\)/ }, ({ path: name, importer, kind }) => {
        const file = path.isAbsolute(name) ? name : path.resolve(path.dirname(importer), name);
        const place = placeOf(file, kind === 'entry-point');
        // All that stays apart is in one folder with what is made here.
        return place === 'apart' || kind === 'dynamic-import'
          ? { path: `./${path.basename(file)}`, external: true }
          : { path: file, namespace: place, sideEffects: place === 'inside' };
      });
      build.onResolve({ filter: /^start$/ }, () => ({ path: `./${startName}`, external: true }));
      build.onLoad({ filter: /./, namespace: 'inside' }, ({ path: file }) => ({ contents: outputs.get(file)?.text ?? '' }));
      build.onLoad({ filter: /./, namespace: 'ofStart' }, ({ path: file }) => ({
        contents: `export { ${named(file, first, outputs, (own, shared) => `${shared} as ${own}`)} } from 'start';`,
      }));
    },
  };
}
