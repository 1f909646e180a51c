// How the pages are bundled; esbuild.mjs builds them, a test looks at what loads first.

/**
 * zod otherwise tries `new Function`, which a page's policy refuses and reports on the console as a violation. Said in every
 * file: the order in which parts of a page run is not the order of their imports.
 */
const zodWithoutEval = { js: '(globalThis.__zod_globalConfig ??= {}).jitless = true;' };

/** Parts of a page load when they are needed, and pages share theirs. */
export const pages = /** @satisfies {import('esbuild').BuildOptions} */ ({
  platform: 'browser',
  target: 'chrome130',
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  banner: zodWithoutEval,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'src/webview/tsconfig.json',
  entryPoints: {
    chat: 'src/webview/chat/main.tsx',
    consent: 'src/webview/consent/main.tsx',
    doctor: 'src/webview/doctor/main.tsx',
    audit: 'src/webview/audit/main.tsx',
    permissions: 'src/webview/permissions/main.tsx',
    runner: 'src/webview/runner/main.tsx',
    traffic: 'src/webview/traffic/main.tsx',
  },
  outdir: 'dist/webview',
});
