import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { useOutsideEditor } from '../pages/outsideEditor.ts';

interface Outcome {
  readonly files: readonly { readonly path: string; readonly outcome: string; readonly isSaved: boolean }[];
  readonly reason?: string;
}

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('The review of several files that a program outside proposes', () => {
  const workbench = useWorkbench({ version: 'floor', viewport: { width: 1280, height: 800 }, settings: { 'files.autoSave': 'off' } });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `several-files-${name}.png`));
  const { client, review, file } = useOutsideEditor(workbench);

  async function propose(prefix: string): Promise<{ readonly result: Promise<Outcome> }> {
    await writeFile(file(`${prefix}-changed.txt`), 'one\ntwo\nthree\n');
    await writeFile(file(`${prefix}-gone.txt`), 'not needed\n');
    const files = [
      { path: `${prefix}-changed.txt`, edits: [{ oldText: 'two', newText: 'TWO' }] },
      { path: `${prefix}-new.txt`, newText: 'new\n' },
      { path: `${prefix}-gone.txt`, delete: true },
    ];
    const call = client().callTool(
      { name: 'propose_edits', arguments: { files, description: 'Three files at once', save: true } },
      { onprogress: () => undefined, timeout: 100_000 },
    );
    const result = call.then(({ structuredContent, content }) => {
      assert.ok(structuredContent, JSON.stringify(content));
      return structuredContent as unknown as Outcome;
    });
    result.catch(() => undefined); // looked at later
    await review().waitFor(`${prefix}-changed.txt (proposed by outsider 1.0.0, 1 of 3)`);
    await review().tab(`${prefix}-gone.txt (deletion proposed by outsider 1.0.0, 3 of 3)`).waitFor();
    return { result };
  }

  it('is accepted and saved with one button, on the thread that says why, once each file was in front', async () => {
    const { result } = await propose('all');
    const toast = await workbench().notifications.waitFor(/outsider.* proposes a change to 3 files\. Three files at once/);
    await review().thread.getByText('Proposed change 1 of 3').waitFor();
    await review().thread.getByText('Three files at once').waitFor();
    for (const name of ['Accept and save', 'Accept', 'Reject', 'Accept all and save', 'Accept all', 'Reject all']) {
      await review().button(name).waitFor();
      await review().threadButton(name).waitFor();
    }
    await picture('light');
    await review().acceptAll(review().threadButton('Accept all and save'), 3);
    const { files } = await result;
    assert.deepEqual(
      files.map(({ outcome, isSaved }) => [outcome, isSaved]),
      [
        ['accepted', true],
        ['accepted', true],
        ['accepted', true],
      ],
    );
    assert.deepEqual(await Promise.all(['all-changed.txt', 'all-new.txt'].map((name) => readFile(file(name), 'utf8'))), [
      'one\nTWO\nthree\n',
      'new\n',
    ]);
    await assert.rejects(readFile(file('all-gone.txt')), { code: 'ENOENT' });
    await toast.waitFor({ state: 'detached' });
    await review().tab('proposed by').first().waitFor({ state: 'detached' });
  });

  it('is answered file by file: an answer leads to the next file, and nothing is made before the last', async () => {
    const { result } = await propose('each');
    await review().button('Accept and save').click();
    await review().tab('1 of 3').waitFor({ state: 'detached' });
    await review().thread.getByText('Creates each-new.txt.').waitFor();
    assert.equal(await readFile(file('each-changed.txt'), 'utf8'), 'one\ntwo\nthree\n');
    await review().button('Reject').click();
    await review().giveReason('no new file');
    await review().tab('2 of 3').waitFor({ state: 'detached' });
    await review().thread.getByText('Deletes each-gone.txt.').waitFor();
    await workbench().page.setViewportSize({ width: 700, height: 800 });
    await review().threadButton('Accept').waitFor();
    await picture('narrow');
    await workbench().page.setViewportSize({ width: 1280, height: 800 });
    await review().threadButton('Accept').click();
    const { files, reason } = await result;
    assert.deepEqual([files.map(({ outcome }) => outcome), reason], [['accepted', 'rejected', 'accepted'], 'no new file']);
    assert.equal(await readFile(file('each-changed.txt'), 'utf8'), 'one\nTWO\nthree\n');
    await assert.rejects(readFile(file('each-gone.txt')), { code: 'ENOENT' });
  });

  it('looks at home in the dark', async () => {
    const { result } = await propose('dark');
    await workbench().palette.choose('Preferences: Color Theme', 'Dark Modern');
    await workbench().page.locator('.monaco-workbench.vs-dark').waitFor();
    await review().threadButton('Reject all').waitFor();
    await picture('dark');
    await review().button('Reject all').click();
    await review().giveReason('');
    assert.deepEqual(
      (await result).files.map(({ outcome }) => outcome),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(await readFile(file('dark-gone.txt'), 'utf8'), 'not needed\n');
  });
});
