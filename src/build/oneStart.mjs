// build/: how the extension becomes a package: the bundle of what a window loads when it opens (this file), and `npm run package`.
// esbuild.mjs uses it; nothing here is part of the extension.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';

/** @typedef {esbuild.Metafile['outputs'][string] & { readonly text: string }} Output */
/** @typedef {ReadonlyMap<string, Output>} Outputs by the path of the file */

/**
 * What is loaded as one file: the entry of a part, and all that it needs and no part before it has.
 *
 * @typedef {{ readonly name: string, readonly entry: string, readonly files: readonly string[] }} LoadedPart
 */

/**
 * Splitting makes a file of every set of modules that the same parts need: dozens that a window would load one by one when it
 * opens. What they hold is put into one file for the start and one for each part that follows in every window; what is loaded
 * later refers to those.
 *
 * @param {esbuild.BuildOptions & { absWorkingDir: string }} options of a bundle whose entry is `extension`, its chunks in chunks/
 * @param {readonly string[]} followers source files that are imported when first used, which is in every window, in this order
 * @returns {Promise<esbuild.Metafile>} which source became which file, before files were put together
 */
export async function buildWithOneStart(options, followers = []) {
  const { outdir = '' } = options;
  const { outputs, metafile } = await split(options);
  const done = new Set(['entryPoints', 'outdir', 'splitting', 'chunkNames', 'banner']);
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => !done.has(name)));
  const folder = path.resolve(options.absWorkingDir, outdir, 'chunks');
  const entry = path.resolve(options.absWorkingDir, outdir, 'extension.js');
  const parts = partsOf([entry, ...followers.map((source) => outputOf(source, outputs))], outputs);
  const later = [...outputs.keys()].filter((file) => partWith(file, parts) === undefined);
  await mkdir(folder, { recursive: true });
  await writeFile(entry, `export{activate,deactivate}from"./chunks/${parts[0]?.name ?? ''}";\n`);
  for (const [index, part] of parts.entries()) {
    const before = parts.slice(0, index);
    await esbuild.build({
      ...common,
      logOverride: { 'ignored-bare-import': 'silent' },
      outfile: path.join(folder, part.name),
      stdin: { contents: textOf(part, outputs), resolveDir: folder },
      plugins: [withBuilt(outputs, (file) => (part.files.includes(file) ? 'inside' : undefined), before, parts)],
    });
  }
  await esbuild.build({
    ...common,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' }, // of a part, which was evaluated before
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    entryPoints: later,
    plugins: [withBuilt(outputs, (_, isEntry) => (isEntry ? 'inside' : undefined), parts, parts)],
  });
  return metafile;
}

/**
 * What a file is called in the end: all but the entry, whose name is in package.json, say that they are ES modules.
 *
 * @param {string} file
 */
function finalName(file) {
  return `${path.basename(file, '.js')}.mjs`;
}

/**
 * @param {string} source
 * @param {Outputs} outputs
 */
function outputOf(source, outputs) {
  const found = [...outputs].find(([, { entryPoint }]) => entryPoint === source);
  if (found === undefined) {
    throw new Error(`${source} is not imported when it is first used.`);
  }
  return found[0];
}

/**
 * @param {readonly string[]} entries
 * @param {Outputs} outputs
 * @returns {readonly LoadedPart[]}
 */
function partsOf(entries, outputs) {
  /** @type {LoadedPart[]} */
  const parts = [];
  for (const entry of entries) {
    const files = filesFrom(entry, outputs).filter((file) => partWith(file, parts) === undefined);
    // The others are imported by the names they have.
    parts.push({ name: parts.length === 0 ? 'start.mjs' : finalName(entry), entry, files });
  }
  return parts;
}

/**
 * @param {string} file
 * @param {readonly LoadedPart[]} parts
 */
function partWith(file, parts) {
  return parts.find(({ files }) => files.includes(file));
}

/** @param {esbuild.BuildOptions & { absWorkingDir: string }} options */
async function split(options) {
  const { metafile, outputFiles } = await esbuild.build({ ...options, metafile: true, write: false, logLevel: 'warning' });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [file, text]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([name, output]) => {
      const file = path.join(options.absWorkingDir, name);
      const imports = output.imports.map((each) => ({ ...each, path: path.join(options.absWorkingDir, each.path) }));
      return [file, { ...output, imports, text: texts.get(file) ?? '' }];
    }),
  );
  return { outputs, metafile };
}

/**
 * @param {string} entry
 * @param {Outputs} outputs
 */
function filesFrom(entry, outputs) {
  const files = new Set([entry]);
  for (const file of files) {
    const { imports = [] } = outputs.get(file) ?? {};
    imports.filter(({ path: next, kind }) => kind === 'import-statement' && outputs.has(next)).forEach(({ path: next }) => files.add(next));
  }
  return [...files];
}

/**
 * What the entry has for others, and everything that one of the files has for others, under a name of its own.
 *
 * @param {LoadedPart} part
 * @param {Outputs} outputs
 */
function textOf({ entry, files }, outputs) {
  const lines = files
    .filter((file) => file !== entry)
    .map((file) => `export { ${named(file, files, outputs, (own, shared) => `${own} as ${shared}`)} } from ${JSON.stringify(file)};`);
  const ofEntry = outputs.get(entry)?.exports ?? [];
  return [`export { ${ofEntry.join(', ')} } from ${JSON.stringify(entry)};`, ...lines].join('\n');
}

/**
 * @param {string} file
 * @param {readonly string[]} files of its part
 * @param {Outputs} outputs
 * @param {(own: string, shared: string) => string} clause
 */
function named(file, files, outputs, clause) {
  const names = outputs.get(file)?.exports ?? [];
  return names.map((own) => clause(own, `${own}_${files.indexOf(file)}`)).join(', ');
}

/**
 * Reads what was built from memory: `inside` is put into the file that is being made, what is in a part is taken from there, and
 * the rest stays a file of its own.
 *
 * @param {Outputs} outputs
 * @param {(file: string, isEntry: boolean) => 'inside' | undefined} placeOf
 * @param {readonly LoadedPart[]} before parts that are there before
 * @param {readonly LoadedPart[]} parts all of them
 * @returns {esbuild.Plugin}
 */
function withBuilt(outputs, placeOf, before, parts) {
  return {
    name: 'withBuilt',
    setup(build) {
      build.onResolve({ filter: /^(?:[./]|[A-Za-z]:\\)/ }, ({ path: name, importer, kind }) => {
        const file = path.isAbsolute(name) ? name : path.resolve(path.dirname(importer), name);
        if (kind === 'dynamic-import') {
          requireFile(file, parts);
        }
        const place = placeOf(file, kind === 'entry-point') ?? (partWith(file, before) === undefined ? 'apart' : 'ofPart');
        // All that stays apart is in one folder with what is made here.
        return place === 'apart' || kind === 'dynamic-import'
          ? { path: `./${finalName(file)}`, external: true }
          : { path: file, namespace: place, sideEffects: place === 'inside' };
      });
      build.onResolve({ filter: /^part:/ }, ({ path: name }) => ({ path: `./${name.slice('part:'.length)}`, external: true }));
      build.onLoad({ filter: /./, namespace: 'inside' }, ({ path: file }) => ({ contents: outputs.get(file)?.text ?? '' }));
      build.onLoad({ filter: /./, namespace: 'ofPart' }, ({ path: file }) => {
        const { name = '', files = [] } = partWith(file, before) ?? {};
        return { contents: `export { ${named(file, files, outputs, (own, shared) => `${shared} as ${own}`)} } from 'part:${name}';` };
      });
    },
  };
}

/**
 * What is in a part is no file of its own, unless it is what the part is named after.
 *
 * @param {string} file
 * @param {readonly LoadedPart[]} parts
 */
function requireFile(file, parts) {
  const part = partWith(file, parts);
  if (part !== undefined && part.name !== finalName(file)) {
    throw new Error(
      `${finalName(file)} is imported when it is first used, but ${part.name} has it: import it directly, or name it as what follows.`,
    );
  }
}
