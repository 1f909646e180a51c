import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FactsParams, LensesResult } from '../../../src/contract/configurationHelp.ts';
import { hoverOf, lensesOf, type LiveEditor } from '../../../src/languageServer/answers.ts';
import { type PlacedServer, SteadyServers } from '../../../src/languageServer/steadyServers.ts';

const text = `{
  "servers": {
    "one": { "command": "npx", "args": ["\${workspaceFolder}"] },
    "two": { "url": "https://a.example" },
    "three":
  }
}`;

const document = (content = text): TextDocument => TextDocument.create('file:///w/.vscode/mcp.json', 'jsonc', 1, content);

const places = (content = text): readonly PlacedServer[] => new SteadyServers().placesIn(document(content), 'vscodeMcp');

function live(facts: readonly string[] = [], asked: FactsParams[] = []): LiveEditor {
  const lenses: LensesResult = [
    [
      { title: 'Start', command: 'duplex.startServer', serverId: 'a' },
      { title: '2 tools', serverId: 'a' },
    ],
    [],
  ];
  return {
    lenses: (_uri, names) => Promise.resolve(names.length === 2 ? lenses : []),
    facts: (params) => {
      asked.push(params);
      return Promise.resolve(facts);
    },
  };
}

describe('The lenses of a document', () => {
  it('stand above each server that the editor knows, complete as they are given', async () => {
    const at = { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } };
    assert.deepEqual(await lensesOf(document(), places(), live()), [
      { range: at, command: { title: 'Start', command: 'duplex.startServer', arguments: [{ server: { id: 'a' } }] } },
      { range: at, command: { title: '2 tools', command: '' } },
    ]);
  });

  it('ask nothing about a document without servers', async () => {
    const silent: LiveEditor = { lenses: () => assert.fail(), facts: () => assert.fail() };
    for (const content of ['', '{', '{ "servers": {} }', '[]']) {
      assert.deepEqual(await lensesOf(document(content), places(content), silent), [], content);
    }
  });
});

describe('What is shown where the person points', () => {
  const hover = async (where: string, lines: readonly string[], asked: FactsParams[] = []): Promise<unknown> =>
    (await hoverOf(document(), 'vscodeMcp', text.indexOf(where), live(lines, asked)))?.contents;

  it('is what the editor knows of the server, the program or the text', async () => {
    const asked: FactsParams[] = [];
    await hover('one"', ['x'], asked);
    await hover('npx', ['x'], asked);
    await hover('{workspaceFolder', ['x'], asked);
    await hover('https:', ['x'], asked);
    const { uri } = document();
    assert.deepEqual(asked, [
      { uri, name: 'one' },
      { uri, name: 'one', text: 'npx', isCommand: true },
      { uri, name: 'one', text: '${workspaceFolder}', isCommand: false },
      { uri, name: 'two', text: 'https://a.example', isCommand: false },
    ]);
  });

  it('is plain text: what a server said makes no link and no picture', async () => {
    assert.deepEqual(await hover('one"', ['Failed: ![x](https://evil.example) <b>', '*done*']), {
      kind: 'markdown',
      value: 'Failed\\: \\!\\[x\\]\\(https\\:\\/\\/evil\\.example\\) \\<b\\>\n\n\\*done\\*',
    });
  });

  it('is nothing when the editor knows nothing, and the help on a key', async () => {
    assert.equal(await hover('npx', []), undefined);
    assert.deepEqual(await hover('command', ['x']), {
      kind: 'markdown',
      value: 'The program to start, a name on the PATH or an absolute path. It runs without a shell.',
    });
  });
});
