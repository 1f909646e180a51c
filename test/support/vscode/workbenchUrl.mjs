/**
 * @typedef {object} WorkbenchTarget
 * @property {number} port
 * @property {string} [workspaceFolder] a folder, or a file that ends in `.code-workspace`; none opens an empty window
 * @property {string} [connectionToken]
 * @property {string} [extensionDevelopmentPath] needs a server with the smoke test driver
 * @property {string} [extensionTestsPath]
 */

/**
 * The address of a window. A built VS Code takes a development extension only through this `payload`.
 *
 * @param {WorkbenchTarget} target
 * @returns {string}
 */
export function workbenchUrl(target) {
  const url = new URL(`http://127.0.0.1:${target.port}/`);
  if (target.connectionToken !== undefined) {
    url.searchParams.set('tkn', target.connectionToken);
  }
  if (target.workspaceFolder === undefined) {
    url.searchParams.set('ew', 'true');
  } else {
    const kind = target.workspaceFolder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    url.searchParams.set(kind, target.workspaceFolder);
  }
  const payload = Object.entries({
    extensionDevelopmentPath: target.extensionDevelopmentPath,
    extensionTestsPath: target.extensionTestsPath,
  }).flatMap(([name, file]) => (file === undefined ? [] : [[name, `vscode-remote://${url.host}${file}`]]));
  if (payload.length > 0) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}
