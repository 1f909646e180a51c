import assert from 'node:assert/strict';
import type { ServerContent } from '../../../../src/host/features/serverContent.ts';
import { promptInsertion, promptPreview } from '../../../../src/views/resources/promptText.ts';

const t = (english: string, ...args: readonly unknown[]): string =>
  english.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));
const content: readonly ServerContent[] = [
  { kind: 'text', role: 'user', name: '', text: 'Review\u200B this.\n' },
  { kind: 'text', role: 'assistant', name: 'file:///a.ts', text: 'let a;' },
  { kind: 'blob', role: 'user', name: '', mimeType: 'image/png', data: 'AAAA' },
  { kind: 'link', role: 'user', name: 'The log', uri: 'log://today' },
];

describe('What a prompt gives', () => {
  it('is previewed with whose words they are, and with nothing hidden', () => {
    assert.equal(
      promptPreview(content, t),
      [
        '## You\n\nReview⟨U+200B⟩ this.',
        '## Assistant\n\n`file:///a.ts`\n\nlet a;',
        '## You\n\nimage/png, 3 bytes',
        '## You\n\n`The log`\n\nlog://today\n',
      ].join('\n\n'),
    );
    assert.equal(promptPreview([], t), 'The prompt gave nothing.\n');
  });

  it('is inserted as it was shown, with nothing hidden in it', () => {
    assert.equal(promptInsertion(content), 'Review⟨U+200B⟩ this.\n\n\nlet a;\n\nlog://today');
  });
});
