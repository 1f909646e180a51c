import assert from 'node:assert/strict';
import {
  decideEditKey,
  decideKey,
  maxMessageLength,
  sendability,
  stopsByEscape,
  type PressedKey,
} from '../../../../../src/webview/chat/composer/composerRules.ts';
import type { ChatState } from '../../../../../src/contract/chat/chatState.ts';

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

describe('Keys in the composer', () => {
  it('sends on Enter, and not with Shift or while an input method composes', () => {
    assert.equal(decideKey(press('Enter'), 'x', undefined), 'send');
    assert.equal(decideKey(press('Enter', { shiftKey: true }), 'x', undefined), 'none');
    assert.equal(decideKey(press('Enter', { isComposing: true }), 'x', undefined), 'none');
    assert.equal(decideKey(press('Enter', { keyCode: 229 }), 'x', undefined), 'none');
  });

  it('edits the last message on Up in an empty box only', () => {
    assert.equal(decideKey(press('ArrowUp'), '', 'before'), 'editLast');
    assert.equal(decideKey(press('ArrowUp'), 'x', 'before'), 'none');
    assert.equal(decideKey(press('ArrowUp'), '', undefined), 'none');
  });
});

describe('Keys in a message that is edited', () => {
  it('sends on Enter and gives up on Escape, and leaves both to an input method', () => {
    assert.equal(decideEditKey(press('Enter')), 'send');
    assert.equal(decideEditKey(press('Escape')), 'cancel');
    assert.equal(decideEditKey(press('Enter', { shiftKey: true })), 'none');
    assert.equal(decideEditKey(press('Escape', { isComposing: true })), 'none');
    assert.equal(decideEditKey(press('Enter', { keyCode: 229 })), 'none');
  });
});

describe('Escape in the chat', () => {
  const escape = { key: 'Escape', isComposing: false, defaultPrevented: false };

  it('stops a running answer', () => {
    assert.equal(stopsByEscape(escape, true), true);
  });

  it('does nothing while nothing runs, for an input method, or when something else had a use for it', () => {
    assert.equal(stopsByEscape(escape, false), false);
    assert.equal(stopsByEscape({ ...escape, isComposing: true }, true), false);
    assert.equal(stopsByEscape({ ...escape, defaultPrevented: true }, true), false);
    assert.equal(stopsByEscape({ ...escape, key: 'a' }, true), false);
  });
});

describe('What can be sent', () => {
  const state: ChatState = {
    conversationId: 'c',
    items: [],
    isRunning: false,
    provider: { kind: 'offline', label: '', isAi: false },
    tools: [],
    suggestions: [],
  };

  it('is text of at most the length of a message once the host has answered, also while an answer runs', () => {
    assert.deepEqual(sendability(state, 'hi'), { canSend: true, problem: undefined });
    assert.equal(sendability(state, ' \n').canSend, false);
    assert.equal(sendability({ ...state, isRunning: true }, 'hi').canSend, true);
    assert.equal(sendability(undefined, 'hi').canSend, false);
    assert.deepEqual(sendability(state, 'x'.repeat(maxMessageLength + 2)), {
      canSend: false,
      problem: 'This message is 2 characters too long.',
    });
  });
});
