import assert from 'node:assert/strict';
import { sentBlock } from '../../../../src/chat/conversation/attachedBlock.ts';
import type { PreparedContent } from '../../../../src/chat/content/preparedContent.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';

describe('A request in Anthropic’s words', () => {
  it('has what the person let in as parts of their message, in order', () => {
    const prepared: PreparedContent = {
      items: [
        { kind: 'text', name: '', pieces: ['token=', 1] },
        { kind: 'image', name: '', mimeType: 'image/png', data: 'aGk=', bytes: 2 },
      ],
      secrets: [{ value: 'hunter2', length: 7, before: 'token=' }],
      documents: [],
      bytes: 15,
      totalBytes: undefined,
      totalParts: undefined,
      invisible: 0,
    };
    const attached = sentBlock('demo', { kind: 'resource', uri: 'demo://a', name: 'A' }, prepared, [], 'MARK');
    const { messages } = toWire({
      model: 'm',
      system: '',
      tools: [],
      maxTokens: 1,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'read a' }, attached] }],
    });
    const [message] = messages;
    assert.ok(message !== undefined && typeof message.content !== 'string');
    assert.deepEqual(
      message.content.map((part) => (part.type === 'text' ? part.text.replace(/^\[The person.* MARK\]$/, 'OPENING') : part.type)),
      ['read a', 'OPENING', 'token=[redacted]', 'image', '[End of what the server gave. MARK]'],
    );
  });
});
