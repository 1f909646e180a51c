import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { moveSecretOut, type MovedSecret } from '../../../src/definitions/movedSecret.ts';

function applied(text: string, { changes }: MovedSecret): unknown {
  return parse([...changes].reverse().reduce((rest, { start, end, newText }) => rest.slice(0, start) + newText + rest.slice(end), text));
}

function moved(definition: object, path: readonly (string | number)[], more: object = {}): { after: unknown; secret: string } | undefined {
  const text = JSON.stringify({ servers: { demo: definition }, ...more }, undefined, 2);
  const out = moveSecretOut(text, { server: 'demo', definition: ['servers', 'demo'], path, inputs: ['inputs'] });
  return out && { after: applied(text, out), secret: out.text };
}

const input = (id: string, description: string): object => ({ id, type: 'promptString', description, password: true });
const token = 'ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX';

describe('A secret that is taken out of a file', () => {
  it('leaves an input in its place, wherever it stood', () => {
    assert.deepEqual(moved({ command: 'x', env: { TOKEN: 'abc' } }, ['env', 'TOKEN']), {
      after: { inputs: [input('demo-TOKEN', 'TOKEN')], servers: { demo: { command: 'x', env: { TOKEN: '${input:demo-TOKEN}' } } } },
      secret: 'abc',
    });
    const headers = { Authorization: `Bearer ${token}` };
    assert.deepEqual(moved({ url: 'https://a.example', headers }, ['headers', 'Authorization']), {
      after: {
        inputs: [input('demo-Authorization', 'Authorization')],
        servers: { demo: { url: 'https://a.example', headers: { Authorization: 'Bearer ${input:demo-Authorization}' } } },
      },
      secret: token,
    });
    assert.deepEqual(moved({ command: 'x', args: ['--api-key', token] }, ['args', 1])?.after, {
      inputs: [input('demo-api-key', 'api-key')],
      servers: { demo: { command: 'x', args: ['--api-key', '${input:demo-api-key}'] } },
    });
    assert.deepEqual(moved({ url: `https://a.example/mcp?api_key=${token}&x=1` }, ['url'])?.after, {
      inputs: [input('demo-api_key', 'api_key')],
      servers: { demo: { url: 'https://a.example/mcp?api_key=${input:demo-api_key}&x=1' } },
    });
  });

  it('gets an id that no other input has', () => {
    const inputs = [input('demo-TOKEN', 'another')];
    assert.deepEqual(moved({ command: 'x', env: { TOKEN: 'abc' } }, ['env', 'TOKEN'], { inputs })?.after, {
      servers: { demo: { command: 'x', env: { TOKEN: '${input:demo-TOKEN-2}' } } },
      inputs: [...inputs, input('demo-TOKEN-2', 'TOKEN')],
    });
  });

  it('is left alone where it is none, where no input may stand, and where inputs are no list', () => {
    assert.equal(moved({ command: 'x', env: { MODE: 'abc' } }, ['env', 'MODE']), undefined);
    assert.equal(moved({ command: 'x', env: { TOKEN: 'abc' } }, ['env', 'OTHER']), undefined);
    assert.equal(moved({ command: 'x', env: { TOKEN: 'abc' } }, ['env', 'TOKEN'], { inputs: {} }), undefined);
    assert.equal(moved({ url: 'https://a.example' }, ['url']), undefined);
    assert.equal(moveSecretOut('{', { server: 'demo', definition: ['servers', 'demo'], path: ['url'], inputs: ['inputs'] }), undefined);
  });

  it('keeps the comments of the file', () => {
    const text = '{\n  // mine\n  "servers": {\n    "demo": { "command": "x", "env": { "TOKEN": "abc" /* old */ } }\n  }\n}';
    const out = moveSecretOut(text, { server: 'demo', definition: ['servers', 'demo'], path: ['env', 'TOKEN'], inputs: ['inputs'] });
    assert.ok(out);
    const after = [...out.changes]
      .reverse()
      .reduce((rest, { start, end, newText }) => rest.slice(0, start) + newText + rest.slice(end), text);
    assert.match(after, /\/\/ mine/);
    assert.match(after, /"\$\{input:demo-TOKEN\}" \/\* old \*\//);
  });
});
