import assert from 'node:assert/strict';
import { toolReport } from '../../../../src/views/servers/toolReport.ts';

const t = (english: string, ...args: readonly unknown[]): string =>
  english.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));

describe('The report on a server’s tools', () => {
  it('counts what was found, and has the worst first', () => {
    const report = toolReport(
      'notes',
      [
        { name: 'fine', findings: [] },
        { name: 'quiet', findings: [{ kind: 'noAnnotations' }] },
        { name: 'broken', findings: [{ kind: 'noDescription' }, { kind: 'badSchema', of: 'input', reason: 'no type' }] },
      ],
      t,
    );
    assert.equal(
      report,
      [
        '# The tools of `notes`',
        '3 tools: 1 errors, 1 warnings, 1 notes.',
        '## `broken`',
        '- **Error:** The input schema cannot be used: `no type`\n' +
          '- **Warning:** There is no description: a model cannot know when to call it.',
        '## `quiet`',
        '- **Note:** There are no annotations: hosts take it for a tool that may destroy.',
        '## Nothing to say about',
        '`fine`\n',
      ].join('\n\n'),
    );
  });

  it('keeps what a server says as text: no link, no image, no heading, nothing hidden', () => {
    const name = 'a` ![](https://evil.example/?x)\n# b\u200B';
    const report = toolReport('s', [{ name, findings: [{ kind: 'undescribedParameters', names: [name] }] }], t);
    const said = '`a´ ![](https://evil.example/?x) # b⟨U+200B⟩`';
    assert.equal(report.split(said).length, 3);
    assert.ok(!report.replaceAll(said, '').includes('evil'));
  });
});
