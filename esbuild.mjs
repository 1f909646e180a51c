// Builds every bundle into dist/. Usage: node esbuild.mjs [--watch] [--production]
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { buildWithOneStart } from './src/build/oneStart.mjs';
import { pages } from './src/build/pages.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const root = fileURLToPath(new URL('.', import.meta.url));

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'info',
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
  outdir: 'dist',
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
  outdir: 'dist',
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
    outdir: 'dist',
  },
  workThread,
  { ...common, ...pages },
];

await rm(`${root}dist`, { recursive: true, force: true });
await mkdir(`${root}dist/webview`, { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  await cp(`${root}node_modules/@vscode/codicons/dist/${file}`, `${root}dist/webview/${file}`);
}

await writeOfflineAnswers();

if (watch) {
  const contexts = await Promise.all([extension, ...others].map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all([
    production ? buildWithOneStart(extension, followers) : esbuild.build(extension),
    ...others.map((bundle) => esbuild.build(bundle)),
  ]);
}

/** What the bridge answers while no window is open: the server itself is asked, so that it says the same. */
async function writeOfflineAnswers() {
  const recorder = `${root}dist/recordOfflineAnswers.mjs`;
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
    await writeFile(`${root}dist/offlineAnswers.json`, JSON.stringify(await recordOfflineAnswers(version)));
  } finally {
    await rm(recorder, { force: true });
  }
}
