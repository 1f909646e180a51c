import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { nativeLink, nativeText } from '../../src/views/nativeText.ts';
import { bundlePath } from '../support/l10n/gatherTexts.ts';
import { findRawTexts } from '../support/native/findRawTexts.ts';
import { rememberedFindings } from '../support/run/remembered.ts';

/** How VS Code itself finds links in notifications and quick inputs, and icons in labels (`linkedText.ts`, `iconLabels.ts`). */
const links = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icons = /(\\)?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

/** A file that goes around in every way there is; each line with `raw` has to be found. */
const goingAround = `import * as vscode from 'vscode';
import { nativeText } from './nativeText.ts';
interface Peer { readonly name: string; readonly words: readonly string[]; }
export function tell(peer: Peer): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} is safe, {1} too', nativeText(peer.name), peer.words.length));
  void vscode.window.showInformationMessage(peer.name); // raw
  void vscode.window.showWarningMessage(vscode.l10n.t('{0} is raw', peer.name)); // raw
  void vscode.window.showWarningMessage(vscode.l10n.t('Safe'), { modal: true, detail: peer.name }); // raw
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification }, (progress) => {
    progress.report({ message: peer.name }); // raw
    return Promise.resolve();
  });
  const items = peer.words.map((word) => ({ label: nativeText(word), detail: word })); // raw
  void vscode.window.showQuickPick(items, { placeHolder: labelOf(peer) });
  void vscode.window.showInputBox({ prompt: nativeText(peer.name), validateInput: (typed) => typed }); // raw
  const item = new vscode.TreeItem(peer.name); // raw
  item.tooltip = [nativeText(peer.name), ...peer.words].join(' '); // raw
  vscode.window.setStatusBarMessage(peer.name); // raw
  const status = vscode.window.createStatusBarItem();
  status.text = \`$(shield) \${peer.name}\`; // raw
  void vscode.commands.executeCommand('vscode.diff', undefined, undefined, peer.name); // raw
  vscode.window.createTerminal({ name: peer.name }); // raw
}
function labelOf({ name }: Peer): string {
  return name === '' ? vscode.l10n.t('Nobody') : nativeText(name);
}
export function pick(foreign: readonly vscode.QuickPickItem[]): void {
  void vscode.window.showQuickPick(foreign); // raw
}
`;
const invented = 'src/views/invented.ts';

describe('Text of a server or a client in native UI', function () {
  this.timeout(180_000);
  let raw: readonly string[] = [];
  before(() => (raw = rememberedFindings('rawTexts', () => findRawTexts({ [invented]: goingAround }))));

  it('is never a link and never an icon', () => {
    const attacks = [
      '[Update](command:workbench.action.terminal.new)',
      '[a]\u200b(command:x) [b](https://evil.example "title")',
      '[a]\n(command:x) []](command:x)',
      '$(sync~spin) $$(shield) \\$(check)',
      `${'x'.repeat(197)}](command:x)`,
    ];
    assert.deepEqual(
      attacks.map((attack) => nativeText(attack)).filter((shown) => links.test(shown) || icons.test(shown)),
      [],
    );
  });

  it('stays inside the one link that is ours', () => {
    const shown = nativeLink('[a](command:x) $(sync) b](command:y)', 'duplex.accept', ')](command:z)');
    assert.deepEqual([...shown.matchAll(new RegExp(links, 'gi'))].length, 1);
    assert.match(shown, /^\[\(a\) \(command:x\) \$ \(sync\) b\) \(command:y\)\]\(command:duplex\.accept\?[^)]*\)$/);
  });

  it('goes through the one function that makes it so', () => {
    assert.deepEqual(
      raw.filter((each) => !each.startsWith(invented)),
      [],
    );
  });

  it('is found where it goes around that function', () => {
    const expected = goingAround.split('\n').flatMap((line, index) => (line.endsWith('// raw') ? [index + 1] : []));
    const found = raw.flatMap((each) => (each.startsWith(invented) ? [Number(each.split(/[: ]/)[1])] : []));
    assert.deepEqual(
      [...new Set(found)].sort((one, other) => one - other),
      expected,
    );
  });

  it('becomes no markup together with the sentence around it', () => {
    const texts = Object.keys(JSON.parse(readFileSync(bundlePath, 'utf8')) as Record<string, string>);
    assert.deepEqual(
      texts.filter((text) => /[\]$]\{\d\}|\}\{|\}\(|\]\(/.test(text)),
      [],
    );
  });
});
