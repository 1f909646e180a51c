// Builds every bundle into dist/ or another folder. Usage: node esbuild.mjs [--watch] [--production] [--out FOLDER]
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { filesIn, packagesOf } from './src/build/bundled.mjs';
import { buildWithOneStart } from './src/build/oneStart.mjs';
import { appTab, filesInThreads, pages } from './src/build/pages.mjs';

const { values } = parseArgs({
  options: { production: { type: 'boolean' }, watch: { type: 'boolean' }, out: { type: 'string', default: 'dist' } },
});
const { production = false, watch = false } = values;
const root = fileURLToPath(new URL('.', import.meta.url));
const dist = path.resolve(root, values.out);

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'info',
  metafile: true,
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** Some dependencies are CommonJS and call require() for Node's own modules; an ES module has none of its own. */
const requireForEsm = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

const node = { ...common, platform: 'node', target: 'node20', format: 'esm', banner: requireForEsm };

const extension = {
  ...node,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: dist,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
};

/** What every window loads once it is activated. */
const followers = ['src/app/app.ts'];

/** In parts, because most threads do one kind of work only: to start one must not take as long as to load all of it. */
const workThread = {
  ...node,
  entryPoints: { workThread: 'src/worker/workThread.ts' },
  outdir: dist,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

const others = [
  {
    ...node,
    entryPoints: {
      supervisor: 'src/supervisor/main.ts',
      languageServer: 'src/languageServer/main.ts',
      stdioBridge: 'src/bridge/main.ts',
    },
    outdir: dist,
  },
  workThread,
  { ...common, ...pages, outdir: path.join(dist, 'webview') },
  { ...common, ...appTab, sourcemap: false, outdir: path.join(dist, 'webview') },
];

await rm(dist, { recursive: true, force: true });
await mkdir(path.join(dist, 'webview'), { recursive: true });
const copied = ['codicon.css', 'codicon.ttf'].map((file) => `node_modules/@vscode/codicons/dist/${file}`);
for (const file of copied) {
  await cp(path.join(root, file), path.join(dist, 'webview', path.basename(file)));
}

await writeOfflineAnswers();

if (watch) {
  const contexts = await Promise.all([extension, ...others].map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const built = await Promise.all([
    production ? buildWithOneStart(extension, followers) : esbuild.build(extension).then(({ metafile }) => metafile),
    ...others.map(async (bundle) => (await esbuild.build(bundle)).metafile),
  ]);
  // The package brings their licences along.
  const packages = packagesOf([...filesIn(built), ...filesInThreads, ...copied], root);
  await writeFile(path.join(dist, 'bundled.json'), JSON.stringify(packages));
}

/** What the bridge answers while no window is open: the server itself is asked, so that it says the same. */
async function writeOfflineAnswers() {
  // Below the packages that it needs, wherever the rest goes.
  const recorder = path.join(root, 'out', `recordOfflineAnswers-${process.pid}.mjs`);
  await esbuild.build({
    ...node,
    banner: undefined,
    sourcemap: false,
    logLevel: 'warning',
    packages: 'external',
    entryPoints: ['src/server/recordOfflineAnswers.ts'],
    outfile: recorder,
  });
  try {
    const { recordOfflineAnswers } = await import(pathToFileURL(recorder).href);
    const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
    await writeFile(path.join(dist, 'offlineAnswers.json'), JSON.stringify(await recordOfflineAnswers(version)));
  } finally {
    await rm(recorder, { force: true });
  }
}
