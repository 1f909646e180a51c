import assert from 'node:assert/strict';
import type { Late } from '../../../../src/base/late.ts';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import type { lateReviews } from '../../../../src/views/proposals/lateReviews.ts';
import type { ProposalReviews } from '../../../../src/views/proposals/proposalReviews.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly lateReviews: typeof lateReviews;
  readonly TabInputText: new (uri: object) => object;
  readonly TabInputTextDiff: new (original: object, modified: object) => object;
  readonly window: { readonly tabGroups: { all: readonly { readonly tabs: readonly { readonly input: unknown }[] }[] } };
  readonly made: readonly unknown[];
}

const program =
  "export { lateReviews } from './src/views/proposals/lateReviews.ts'; export * from 'vscode'; export { made } from './proposalReviews.ts';";
const fakes = {
  vscode: `
    export class TabInputText { constructor(uri) { this.uri = uri; } }
    export class TabInputTextDiff { constructor(original, modified) { this.original = original; this.modified = modified; } }
    export const window = { tabGroups: { all: [] } };`,
  './proposalReviews.ts': `
    export const made = [];
    export class ProposalReviews {
      onDidChange = () => ({ dispose() {} });
      constructor() { made.push(this); }
      list() { return []; }
      show() {}
      dispose() {}
    }`,
};

describe('The reviews of proposed changes, when a window opens,', function () {
  this.timeout(60_000);
  let loaded: Program;
  let lifetime: DisposableStore;
  let reviews: Late<ProposalReviews> | undefined;

  beforeEach(async () => {
    lifetime = new DisposableStore();
    loaded = await importWithFakes<Program>(program, fakes);
  });
  afterEach(() => lifetime.dispose());

  /** How many were made at once, with these tabs open. */
  const madeWith = async (inputs: readonly unknown[]): Promise<number> => {
    loaded.window.tabGroups.all = [{ tabs: [] }, { tabs: inputs.map((input) => ({ input })) }];
    reviews = loaded.lateReviews({ find: () => undefined }, (error) => assert.fail(String(error)), lifetime);
    await new Promise((resolve) => setImmediate(resolve));
    return loaded.made.length;
  };
  const [file, proposal] = [{ scheme: 'file' }, { scheme: 'duplex-proposal' }];

  it('are not there while nothing is proposed', async () => {
    const inputs = [undefined, new loaded.TabInputText(file), new loaded.TabInputTextDiff(file, file)];
    assert.equal(await madeWith(inputs), 0);
    await (await reviews?.get())?.show();
    assert.equal(loaded.made.length, 1);
  });

  it('are there when a diff is left of an earlier proposal: only they close it', async () => {
    assert.equal(await madeWith([new loaded.TabInputText(file), new loaded.TabInputTextDiff(file, proposal)]), 1);
  });

  it('are there when a proposed text is left alone in a tab', async () => {
    assert.equal(await madeWith([new loaded.TabInputText(proposal)]), 1);
  });
});
