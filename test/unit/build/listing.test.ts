import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { packagedManifest, packagedPage, repositoryAddress } from '../../../src/build/listing.mjs';

const page = [
  '# Title',
  '',
  '![A picture](media/one.png)',
  '',
  'See [the reference](src/server/README.md#tools), [a site](https://example.com) and [below](#below).',
  '',
  '```md',
  '![Not a picture](media/two.png)',
  '```',
].join('\n');

describe('What a marketplace shows', () => {
  it('has without a repository no picture and no link that leads nowhere', () => {
    assert.equal(
      packagedPage(page, undefined),
      [
        '# Title',
        '',
        'See the reference, [a site](https://example.com) and [below](#below).',
        '',
        '```md',
        '![Not a picture](media/two.png)',
        '```',
      ].join('\n'),
    );
  });

  for (const [repository, place] of [
    ['https://github.com/owner/name', 'https://github.com/owner/name'],
    ['https://gitlab.com/group/sub/name', 'https://gitlab.com/group/sub/name/-'],
  ] as const) {
    it(`has pictures, links and addresses in ${repository}`, () => {
      const text = packagedPage(page, repository);
      assert.ok(text.includes(`![A picture](${place}/raw/HEAD/media/one.png)`), text);
      assert.ok(text.includes(`[the reference](${place}/blob/HEAD/src/server/README.md#tools)`), text);
      assert.ok(text.includes('[a site](https://example.com) and [below](#below)'), text);
      assert.ok(text.includes('![Not a picture](media/two.png)'), text);
      assert.deepEqual(packagedManifest({ name: 'duplex' }, repository), {
        name: 'duplex',
        repository: { type: 'git', url: `${repository}.git` },
        bugs: { url: `${place}/issues` },
        homepage: `${repository}#readme`,
      });
    });
  }

  it('has nothing of the manifest that only the repository needs', () => {
    const manifest = { name: 'duplex', private: true, scripts: { postinstall: 'x' }, devDependencies: { zod: '*' }, main: 'x.js' };
    assert.deepEqual(packagedManifest(manifest, undefined), { name: 'duplex', main: 'x.js' });
  });

  it('takes the address of a repository as it is copied, and nothing else', () => {
    assert.equal(repositoryAddress(undefined), undefined);
    assert.equal(repositoryAddress('https://github.com/owner/name.git'), 'https://github.com/owner/name');
    assert.equal(repositoryAddress('https://github.com/owner/name/'), 'https://github.com/owner/name');
    for (const wrong of ['http://github.com/owner/name', 'github.com/owner/name', 'https://github.com/owner', 'https://a/b/c?x', '']) {
      assert.throws(() => repositoryAddress(wrong), /is no https address of a repository/, wrong);
    }
  });

  it('has what the page of an extension needs, within what the marketplace takes', () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const manifest = packagedManifest(
      JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>,
      undefined,
    );
    const { version, icon, galleryBanner, pricing, qna, categories, keywords } = manifest as Readonly<Record<string, unknown>> & {
      readonly version: string;
      readonly keywords: readonly string[];
    };
    assert.deepEqual(
      { icon, galleryBanner, pricing, qna, categories },
      {
        icon: 'media/icon.png',
        galleryBanner: { color: '#1f2430', theme: 'dark' },
        pricing: 'Free',
        qna: 'marketplace',
        categories: ['AI', 'Chat', 'Other'],
      },
    );
    assert.equal(new Set(keywords).size, keywords.length);
    assert.ok(keywords.length <= 30, `${keywords.length} keywords`);
    assert.match(version, /^\d+\.\d+\.\d+$/); // neither marketplace takes a suffix
  });
});
