// How the pages are bundled; esbuild.mjs builds them, a test looks at what loads first.

/** Parts of a page load when they are needed, and pages share theirs. */
export const pages = /** @satisfies {import('esbuild').BuildOptions} */ ({
  platform: 'browser',
  target: 'chrome130',
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
    runner: 'src/webview/runner/main.tsx',
    traffic: 'src/webview/traffic/main.tsx',
  },
  outdir: 'dist/webview',
});
