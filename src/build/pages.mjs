// How the pages are bundled; esbuild.mjs builds them, a test looks at what loads first.
import * as path from 'node:path';
import esbuild from 'esbuild';
import { filesIn } from './bundled.mjs';

const target = 'chrome130';

/** What is in the threads of the pages that were built, relative to the repository: to the page's own bundle a thread is one text. */
export const filesInThreads = /** @satisfies {Set<string>} */ (new Set());

/**
 * Makes the code of a page's thread a text in the page's own code: in VS Code a page can make a thread of a blob only, and may fetch
 * nothing. `import { source } from 'thread:./file.ts'` is that text; the file exports `answerIn`, which gets the thread's scope.
 */
const threads = /** @satisfies {import('esbuild').Plugin} */ ({
  name: 'threads',
  setup: (build) => {
    build.onResolve({ filter: /^thread:/ }, ({ path: name, resolveDir }) => ({
      namespace: 'thread',
      path: path.join(resolveDir, name.slice('thread:'.length)),
    }));
    build.onLoad({ filter: /.*/, namespace: 'thread' }, async ({ path: file }) => {
      const { absWorkingDir = process.cwd() } = build.initialOptions;
      const { outputFiles, metafile } = await esbuild.build({
        stdin: { contents: `import { answerIn } from ${JSON.stringify(file)}; answerIn(self);`, resolveDir: path.dirname(file) },
        absWorkingDir,
        target,
        platform: 'browser',
        format: 'iife',
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        legalComments: 'none',
      });
      filesIn([metafile]).forEach((input) => filesInThreads.add(input));
      const inputs = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>');
      return {
        contents: `export const source = ${JSON.stringify(outputFiles[0]?.text ?? '')};`,
        watchFiles: inputs.map((input) => path.resolve(absWorkingDir, input)),
      };
    });
  },
});

/**
 * The page of an app in a tab of its own. Its policy is the app's, under which no file of the extension can be loaded, so the code is one
 * text, which the extension writes into the page.
 */
export const appTab = /** @satisfies {import('esbuild').BuildOptions} */ ({
  platform: 'browser',
  target,
  format: 'iife',
  tsconfig: 'src/webview/tsconfig.json',
  entryPoints: { appTab: 'src/webview/chat/apps/appTab.ts' },
  outdir: 'dist/webview',
  plugins: [threads],
});

/** Parts of a page load when they are needed, and pages share theirs. */
export const pages = /** @satisfies {import('esbuild').BuildOptions} */ ({
  platform: 'browser',
  target,
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'src/webview/tsconfig.json',
  entryPoints: {
    chat: 'src/webview/chat/main.tsx',
    consent: 'src/webview/pages/consentPage.tsx',
    doctor: 'src/webview/pages/doctorPage.tsx',
    audit: 'src/webview/pages/auditPage.tsx',
    permissions: 'src/webview/pages/permissionsPage.tsx',
    registry: 'src/webview/registry/main.tsx',
    runner: 'src/webview/runner/main.tsx',
    traffic: 'src/webview/traffic/main.tsx',
  },
  outdir: 'dist/webview',
  plugins: [threads],
});
