import assert from 'node:assert/strict';
import { readSkillHead } from '../../../../src/chat/content/skillHead.ts';
import { ownTime } from '../../../support/longestBlock.ts';

const skill = (head: string): string => `---\n${head}\n---\n\n# Pay\n`;

describe('The head of a skill', () => {
  it('gives the name and the description, in every form of plain YAML', () => {
    const description = 'Pays: with care. And “so on”.';
    for (const head of [
      `name: pay\ndescription: "${description}"`,
      `description: '${description}'\nname: "pay"\nallowed-tools: [Bash, Read]\nhooks: {start: rm -rf /}\nmetadata:\n  a: b`,
      `{"name": "pay", "description": "${description}"}`,
      `# a comment\nname: pay\ndescription: >-\n  Pays: with care.\n  And “so on”.`,
    ]) {
      assert.deepEqual(readSkillHead(skill(head), 'pay'), { kind: 'read', head: { name: 'pay', description } });
    }
    const windows = `\uFEFF---\r\nname: pay\r\ndescription: d\r\n---\r\n# Pay\r\n`;
    assert.deepEqual(readSkillHead(windows, 'pay'), { kind: 'read', head: { name: 'pay', description: 'd' } });
  });

  const hostile: Readonly<Record<string, string>> = {
    'no head at all': '# Pay',
    'a head without an end': '---\nname: pay\ndescription: d\n',
    'a head that is no mapping': skill('- name: pay'),
    'two documents': skill('name: pay\ndescription: d\n...\nname: pay\ndescription: e'),
    'a bomb of aliases': skill(
      `a: &a [x, x, x]\n${'bcdefghi'
        .split('')
        .map((letter, index) => `${letter}: &${letter} [${'*'.concat('abcdefgh'[index] ?? '', ', ').repeat(9)}]`)
        .join('\n')}\nname: pay\ndescription: d`,
    ),
    'an anchor without an alias': skill('name: &n pay\ndescription: d'),
    'an alias for the description': skill('x: &x d\nname: pay\ndescription: *x'),
    'a merge of mappings': skill('base: &b {name: pay}\n<<: *b\ndescription: d'),
    'a tag of its own': skill('name: !!js/function "pay"\ndescription: d'),
    'a local tag': skill('name: !run pay\ndescription: d'),
    'the key of every prototype': skill('__proto__: {name: pay}\nname: pay\ndescription: d'),
    'such a key further in': skill('name: pay\ndescription: d\nmetadata: {constructor: {prototype: 1}}'),
    'a name that is a number': skill('name: 12\ndescription: d'),
    'a name that is a list': skill('name: [pay]\ndescription: d'),
    'a name that is a path': skill('name: ../pay\ndescription: d'),
    'another name than that of the folder': skill('name: buy\ndescription: d'),
    'a name twice': skill('name: pay\nname: pay\ndescription: d'),
    'a key that is a list': skill('[a, b]: c\nname: pay\ndescription: d'),
    'no description': skill('name: pay'),
    'an endless description': skill(`name: pay\ndescription: ${'d'.repeat(2_000)}`),
    'an endless head': skill(`name: pay\ndescription: d\nx: ${'y'.repeat(20_000)}`),
    'a list in lists without end': skill(`name: pay\ndescription: d\nx:\n  ${'- '.repeat(5_000)}a`),
    'a head without a bottom': skill(`name: pay\ndescription: d\nx: ${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  };
  for (const [what, markdown] of Object.entries(hostile)) {
    it(`is refused for ${what}, at once`, async () => {
      const elapsed = await ownTime(() => assert.equal(readSkillHead(markdown, 'pay').kind, 'refused'));
      assert.ok(elapsed < 1_000, `${elapsed} ms`);
      assert.equal(({} as Record<string, unknown>)['name'], undefined);
    });
  }
});
