import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { readResourceAddress, resourceAddress, type ResourcePlace } from '../../../../src/views/resources/resourceAddress.ts';

const key = 'of this installation';
const place: ResourcePlace = { serverId: 'user:docs', server: 'docs', uri: 'docs://guide/start.md?lang=en#top', fileName: 'start.md' };
const servers = ['user:other', 'user:docs'];

describe('The address of a resource’s document', () => {
  const uris = [
    'docs://guide',
    'file:///a/../../etc/passwd',
    '..',
    '.',
    '',
    '%',
    '%..',
    '%2F',
    'a\\b',
    'x y\u0000z',
    'ü/ü',
    'urn:a:b',
    '\u2215/%2F\u2215',
  ];

  for (const uri of uris) {
    it(`means the resource ${JSON.stringify(uri)} again, also after the editor has tidied its path`, () => {
      const { authority, path } = resourceAddress(key, { ...place, uri });
      assert.equal(posix.normalize(path), path);
      assert.equal(path.split('/').length, 4);
      assert.deepEqual(readResourceAddress(key, { authority, path }, servers), { serverId: 'user:docs', uri });
    });
  }

  it('leads nowhere when it was made elsewhere, or changed in any part that counts', () => {
    const { authority, path } = resourceAddress(key, place);
    const other = resourceAddress('of another installation', place);
    const wrong = [
      { authority: other.authority, path },
      { authority, path: path.replace('guide', 'secrets') },
      { authority, path: path.replace(/start\.md$/, '.editorconfig') },
      { authority, path: posix.dirname(path) },
      { authority, path: `${path}/more` },
      { authority: '', path },
      { authority, path: '/' },
    ];
    assert.deepEqual(
      wrong.map((parts) => readResourceAddress(key, parts, servers)),
      wrong.map(() => undefined),
    );
  });

  it('is of the server it was made for, whatever that is called, and of no other', () => {
    const { authority, path } = resourceAddress(key, place);
    assert.deepEqual(readResourceAddress(key, { authority, path: path.replace('/docs/', '/docs@user/') }, servers)?.serverId, 'user:docs');
    assert.equal(readResourceAddress(key, { authority, path }, ['workspace:abc:docs']), undefined);
  });
});
