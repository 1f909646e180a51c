/** @typedef {'floor' | 'ceiling'} VscodeChoice */

/**
 * The oldest VS Code that package.json admits and the newest one we know. `code-server` on npm contains a built
 * VS Code, so both can be had where only the npm registry is reachable.
 */
export const vscodeVersions = /** @type {const} */ ({
  floor: { vscode: '1.100.3', codeServer: '4.100.3', node: '20.20.2' },
  ceiling: { vscode: '1.139.1', codeServer: '4.139.1', node: '24.21.0' },
});
