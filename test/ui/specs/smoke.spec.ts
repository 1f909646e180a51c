import assert from 'node:assert/strict';

import { useWorkbench } from '../harness/useWorkbench.ts';
import { vscodeChoices } from '../../support/vscode/versions.mjs';

for (const version of vscodeChoices) {
  describe(`the packaged extension in the ${version} VS Code`, () => {
    const workbench = useWorkbench({ version });

    it('shows its entry in the activity bar', async () => {
      await workbench().openView('Duplex');
    });

    it('opens a trusted workspace', async () => {
      assert.equal(await workbench().statusBarItem('Restricted Mode').count(), 0);
    });
  });
}
