import assert from 'node:assert/strict';
import { placeBlock, toldOfBlock } from '../../../../src/chat/turn/placeBlock.ts';
import { ownTime } from '../../../support/longestBlock.ts';

const text = ['import x;', '', 'function add(a, b) {', '  return a - b;', '}', '', 'function other() {', '}', ''].join('\n');

describe('A block of code that is applied', () => {
  it('is the whole of a new or empty file, without the line that only names it', () => {
    assert.equal(placeBlock('// src/a.ts\nlet a;', { text: undefined, path: 'src/a.ts' }), 'let a;\n');
    assert.equal(placeBlock('let a;', { text: ' \n', path: 'a.ts' }), 'let a;\n');
    assert.equal(
      placeBlock('// a.ts\nlet a;', { text: '// a.ts\nlet b;\n', path: 'a.ts' }),
      '// a.ts\nlet a;\n',
      'the file has that line too',
    );
  });

  it('takes the place of what is selected', () => {
    const start = text.indexOf('a - b');
    assert.equal(placeBlock('a + b', { text, selection: { start, end: start + 5 }, path: 'a.js' }), text.replace('a - b', 'a + b'));
  });

  it('takes the place of the part that begins and ends as it does', () => {
    const block = 'function add(a, b) {\n  // adds\n  return a + b;\n}';
    assert.equal(placeBlock(block, { text, path: 'a.js' }), text.replace('  return a - b;', '  // adds\n  return a + b;'));
  });

  it('is the whole file where its beginning is not found, or is there twice', () => {
    assert.equal(placeBlock('function gone() {\n}', { text, path: 'a.js' }), 'function gone() {\n}\n');
    const twice = `${text}${text}`;
    assert.equal(placeBlock('function add(a, b) {\n}', { text: twice, path: 'a.js' }), 'function add(a, b) {\n}\n');
  });

  it('is placed soon, however its white space is laid out', async () => {
    const spaces = ' '.repeat(400_000);
    const elapsed = await ownTime(() => {
      assert.equal(placeBlock(`//x${spaces}y`, { text: undefined, path: 'a.js' }), `//x${spaces}y\n`);
      const placed = placeBlock(`function add(a, b) {\n${spaces}x\n}\n`, { text, path: 'a.js' });
      assert.equal(placed, text.replace('  return a - b;', `${spaces}x`));
    });
    assert.ok(elapsed < 5_000, `${elapsed} ms`);
  });

  it('is told of without the rest of the file', () => {
    const told = toldOfBlock('b', 'a\nb\nc');
    assert.deepEqual(told({ path: 'x', newText: 'a\nb\nc' }), { path: 'x', block: 'b' });
    assert.deepEqual(told({ path: 'y', newText: 'as the person left it' }), { path: 'y' });
  });

  it('keeps the line ends of the file', () => {
    const windows = text.replaceAll('\n', '\r\n');
    const placed = placeBlock('function add(a, b) {\n  return a + b;\n}', { text: windows, path: 'a.js' });
    assert.equal(placed, windows.replace('a - b', 'a + b'));
  });
});
