import assert from 'node:assert/strict';
import type * as AttachDebuggerModule from '../../../../src/editor/debug/attachDebugger.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

const program = "export { debugConfiguration, hasDebugger } from './src/editor/debug/attachDebugger.ts';";
const { debugConfiguration, hasDebugger } = await importWithFakes<typeof AttachDebuggerModule>(program, { vscode: '' });

const target = { label: 'mine', port: 5_678, cwd: '/projects/mine' };
const common = { request: 'attach', name: 'MCP: mine', internalConsoleOptions: 'neverOpen' };
const manifestWith = (...types: readonly string[]): object => ({ contributes: { debuggers: types.map((type) => ({ type })) } });

describe('The debugger of a server', () => {
  it('is attached by the type of its language to the port on this machine', () => {
    const node = { ...common, type: 'node', address: '127.0.0.1', port: 5_678, cwd: '/projects/mine', skipFiles: ['<node_internals>/**'] };
    assert.deepEqual(debugConfiguration({ ...target, kind: 'node' }), node);
    const python = { ...common, type: 'debugpy', connect: { host: '127.0.0.1', port: 5_678 } };
    assert.deepEqual(debugConfiguration({ ...target, kind: 'python' }), python);
  });

  it('is there when an extension contributes its type, whatever else extensions say of themselves', () => {
    const others = [undefined, {}, { contributes: null }, { contributes: { debuggers: 'node' } }, { contributes: { debuggers: [null] } }];
    const has = (manifests: readonly unknown[]): unknown => [hasDebugger('node', manifests), hasDebugger('python', manifests)];
    assert.deepEqual(has([...others, manifestWith('pwa-node', 'python')]), [false, false]);
    assert.deepEqual(has([...others, manifestWith('pwa-node', 'node')]), [true, false]);
    assert.deepEqual(has([manifestWith('debugpy'), ...others]), [false, true]);
  });
});
