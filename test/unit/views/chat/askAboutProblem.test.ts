import assert from 'node:assert/strict';
import { askAboutProblem } from '../../../../src/views/chat/askAboutProblem.ts';

describe('Asking the chat about the problem at the cursor', () => {
  async function ask(problem: string | undefined): Promise<readonly string[]> {
    const done: string[] = [];
    await askAboutProblem(problem, {
      draft: () => Promise.resolve(void done.push('draft')),
      attach: (attached) => Promise.resolve(void done.push(`attach ${attached}`)),
      sayNone: () => void done.push('none'),
    });
    return done;
  }

  it('writes the words and attaches the problem', async () => {
    assert.deepEqual(await ask('unused'), ['draft', 'attach unused']);
  });

  it('says that there is none, and opens no chat, where there is none', async () => {
    assert.deepEqual(await ask(undefined), ['none']);
  });
});
