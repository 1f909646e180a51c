import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addToChatTargets } from '../../src/views/chat/chatAttachments.ts';
import { workspacePath } from './support/duplex.ts';

/** The menus of the source control view and of the tests hand over objects of VS Code, made by whichever extension shows them. */
describe('Add to Duplex Chat in a menu', () => {
  const made: vscode.Disposable[] = [];
  const cart = vscode.Uri.file(workspacePath('src/cart.js'));
  const readme = vscode.Uri.file(workspacePath('README.md'));

  after(() => made.forEach((each) => void each.dispose()));

  it('means the changes of what is selected in the source control view, and of a group all changes', async () => {
    const control = vscode.scm.createSourceControl('addToChat', 'Add to chat', vscode.Uri.file(workspacePath()));
    made.push(control);
    const group = control.createResourceGroup('changes', 'Changes');
    group.resourceStates = [{ resourceUri: cart }, { resourceUri: readme, contextValue: 'modified' }];
    assert.deepEqual(await addToChatTargets(group.resourceStates, undefined), [
      { kind: 'changes', path: 'src/cart.js' },
      { kind: 'changes', path: 'README.md' },
    ]);
    assert.deepEqual(await addToChatTargets([group], undefined), [{ kind: 'changes' }]);
    assert.deepEqual(await addToChatTargets([control], undefined), [{ kind: 'changes' }]);
  });

  it('means the source of a test and what came of the last run', async () => {
    const controller = vscode.tests.createTestController('addToChat', 'Add to chat');
    made.push(controller);
    const whole = controller.createTestItem('file', 'cart.js', cart);
    const one = controller.createTestItem('one', 'adds', cart);
    one.range = new vscode.Range(0, 0, 1, 0);
    controller.items.replace([whole, one]);
    const [file, ofFile] = await addToChatTargets([whole], undefined);
    assert.deepEqual([file, ofFile], [{ kind: 'file', path: 'src/cart.js' }, { kind: 'tests' }]);
    const [lines, ofOne] = await addToChatTargets([one], undefined);
    assert.ok(lines?.kind === 'selection', JSON.stringify(lines));
    assert.deepEqual([lines.path, lines.lines.start, ofOne], ['src/cart.js', 1, { kind: 'tests' }]);
  });
});
