import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const locked = Object.entries((JSON.parse(text) as { packages: Record<string, Locked> }).packages).filter(([folder]) => folder !== '');

describe('The lockfile', () => {
  it('has the hash of every package, of a kind that holds', () => {
    assert.ok(locked.length > 100);
    assert.deepEqual(
      locked.filter(([, { integrity = '', version = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity) || version === ''),
      [],
    );
  });

  it('names no place that packages come from, neither a registry nor a folder', () => {
    assert.deepEqual(
      locked.filter(([, { resolved, link }]) => resolved !== undefined || link === true),
      [],
    );
  });

  it('is of the package.json beside it', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
    const [own] = Object.values((JSON.parse(text) as { packages: Record<string, Record<string, unknown>> }).packages);
    assert.deepEqual(own?.['devDependencies'], manifest['devDependencies']);
    assert.equal(manifest['dependencies'], undefined);
  });
});
