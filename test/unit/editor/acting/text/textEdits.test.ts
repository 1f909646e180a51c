import assert from 'node:assert/strict';
import { applyRangeEdits, smallestReplacement, withEol } from '../../../../../src/editor/acting/text/textEdits.ts';
import type { RangeEdit } from '../../../../../src/server/seen/ports/actingPort.ts';

function edit(startLine: number, startCharacter: number, endLine: number, endCharacter: number, newText: string): RangeEdit {
  const range = { start: { line: startLine, character: startCharacter }, end: { line: endLine, character: endCharacter } };
  return { range, newText };
}

describe('Edits by range', () => {
  it('are all made on the text as it was, in any order', () => {
    const edits = [edit(3, 1, 3, 6, 'drei'), edit(1, 1, 1, 4, 'eins'), edit(2, 4, 2, 4, '!')];
    assert.equal(applyRangeEdits('one\ntwo\nthree\n', edits, '\n'), 'eins\ntwo!\ndrei\n');
  });

  it('take the line ends of the document', () => {
    assert.equal(applyRangeEdits('a\r\nb\r\n', [edit(2, 1, 2, 2, 'x\ny')], '\r\n'), 'a\r\nx\r\ny\r\n');
    assert.equal(withEol('\uFEFFa\r\nb\rc\n', '\n'), 'a\nb\nc\n');
  });

  it('insert in the order given when they stand at the same place', () => {
    assert.equal(applyRangeEdits('ab', [edit(1, 2, 1, 2, '1'), edit(1, 2, 1, 2, '2')], '\n'), 'a12b');
  });

  it('may end at the line after the last one', () => {
    assert.equal(applyRangeEdits('a\nb', [edit(2, 1, 3, 1, 'c')], '\n'), 'a\nc');
  });

  it('that overlap, turn round or point outside are refused by name', () => {
    const refused: [string, RegExp, RangeEdit[]][] = [
      ['editor.editsOverlap', /overlap: the range 1:2-1:3 and the range 1:1-1:3/, [edit(1, 1, 1, 3, 'x'), edit(1, 2, 1, 3, 'y')]],
      ['editor.rangeReversed', /1:3-1:1 ends before it starts/, [edit(1, 3, 1, 1, 'x')]],
      ['editor.rangeBehindText', /behind the last line, 2/, [edit(1, 1, 9, 1, 'x')]],
      ['editor.rangeBehindLine', /behind the end of line 1, which has 3 characters/, [edit(1, 1, 1, 5, 'x')]],
    ];
    for (const [code, message, edits] of refused) {
      assert.throws(() => applyRangeEdits('abc\nd', edits, '\n'), { code, message });
    }
  });

  it('become one small replacement that cuts neither a line end nor a character in two', () => {
    const apply = (before: string, after: string): string => {
      const { start, end, newText } = smallestReplacement(before, after);
      assert.equal(before.slice(0, start) + newText + before.slice(end), after);
      return `${start}-${end}:${JSON.stringify(newText)}`;
    };
    assert.equal(apply('one two three', 'one 2 three'), '4-7:"2"');
    assert.equal(apply('aaa', 'aa'), '2-3:""');
    assert.equal(apply('a\r\nb', 'a\r\n\r\nb'), '3-3:"\\r\\n"');
    assert.equal(apply('x😀y', 'x😁y'), '1-3:"😁"');
    assert.equal(apply('same', 'same'), '4-4:""');
  });
});
