import assert from 'node:assert/strict';
import { existsSync, linkSync, lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/base/json.ts';
import { coversCall, type CallRule } from '../../../../src/consent/callRules.ts';
import { callFacts } from '../../../../src/host/tools/callFacts.ts';
import { generator, type Random } from '../../../support/filledForms.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const schema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    limit: { type: 'number' },
    destination: { type: 'string' },
    paths: { type: 'array' },
    options: { type: 'object' },
  },
};

describe('A rule for paths inside a folder', () => {
  let base: string;
  let work: string;
  beforeEach(() => {
    base = createTemporaryFolder();
    work = path.join(base, 'work');
    for (const folder of ['work/src/deep', 'work/.git', 'work/.vscode', 'work/jörg', 'outside/src']) {
      mkdirSync(path.join(base, folder), { recursive: true });
    }
    for (const file of ['work/a.ts', 'work/src/b.ts', 'work/src/deep/c.ts', 'work/jörg/d.ts', 'outside/secret.txt', 'outside/src/b.ts']) {
      writeFileSync(path.join(base, file), '');
    }
  });
  afterEach(() => removeTemporaryFolder(base));

  const ruleOf = (folder: string): CallRule => ({ kind: 'pathInside', folder, realFolder: realpathSync(folder) });
  const covers = (args: JsonObject, inputSchema = schema, runsHere = true): boolean =>
    coversCall(ruleOf(work), callFacts(args, inputSchema, runsHere));
  const coversPath = (written: string): boolean => covers({ path: written });

  it('covers plain files in it, there or not, whatever the other arguments are', () => {
    const within = ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/new.ts', 'new/folder/new.ts', 'jörg/d.ts', '@scope/a+b=c_1-2.x'];
    assert.deepEqual(
      within.filter((file) => !coversPath(`${work}/${file}`)),
      [],
    );
    assert.ok(covers({ path: `${work}/a.ts`, content: 'one\n/etc/passwd\ntwo', limit: 3 }));
  });

  it('covers no path that leads out, is no plain file or is written in another way', () => {
    symlinkSync(path.join(base, 'outside'), path.join(work, 'link'));
    symlinkSync(path.join(work, 'src'), path.join(work, 'inner'));
    symlinkSync(path.join(base, 'nowhere'), path.join(work, 'broken.ts'));
    symlinkSync('/proc/self/cwd', path.join(work, 'process'));
    linkSync(path.join(base, 'outside/secret.txt'), path.join(work, 'hard.txt'));
    const rest = path.basename(base);
    const outside = [
      work,
      `${work}/`,
      `${work}/src`,
      `${work}2/a.ts`,
      `${base}/outside/secret.txt`,
      'a.ts',
      './a.ts',
      'work/a.ts',
      '~/a.ts',
      `${work}/../outside/secret.txt`,
      `${work}/src/../a.ts`,
      `${work}/./a.ts`,
      `${work}//a.ts`,
      `/${work}/a.ts`,
      `${work}/%2e%2e/outside/secret.txt`,
      `${work}/%2E%2E%2Foutside/secret.txt`,
      `${work}/．．/outside/secret.txt`,
      `${work}/..\\outside\\secret.txt`,
      `${work}\\a.ts`,
      `file://${work}/a.ts`,
      `${work}/link/secret.txt`,
      `${work}/link/src/b.ts`,
      `${work}/inner/b.ts`,
      `${work}/broken.ts`,
      `${work}/process/a.ts`,
      `/proc/self/root${work}/a.ts`,
      `${work}/hard.txt`,
      `${work}/a.ts.`,
      `${work}/a.ts `,
      `${work}/src./b.ts`,
      `${work}/a.ts\0.txt`,
      `${work}/a.ts\n`,
      `${work}/a\u200B.ts`,
      `${work}/a.ts,/etc/passwd`,
      `${work}/a.ts /etc/passwd`,
      `${work}/a.ts:/etc/passwd`,
      `${work}/*.ts`,
      `${work}/{a,b}.ts`,
      `${work}/$HOME`,
      `${work}/$(id)`,
      `${work}/-rf`,
      `${work}/GIT~1/config`,
      ` ${work}/a.ts`,
      work.toUpperCase(),
      `${work.toUpperCase()}/a.ts`,
      `${base}/${rest}/a.ts`,
      `${work}/${'x/'.repeat(70)}a.ts`,
      `${work}/${'x'.repeat(2_000)}`,
      '/',
      '',
    ];
    assert.deepEqual(outside.filter(coversPath), []);
  });

  it('covers no hidden or sensitive file, and none in which servers or editors are configured', () => {
    const closed = [
      '.env',
      'src/.env.local',
      'key.pem',
      'id_rsa',
      'src/server.KEY',
      '.git/config',
      '.GIT/config',
      '.git/hooks/pre-commit',
      '.vscode/settings.json',
      '.vscode/mcp.json',
      '.mcp.json',
      'mcp.json',
      'src/MCP.json',
      '.cursor/mcp.json',
      '.claude/settings.json',
      '.devcontainer/devcontainer.json',
      '.devcontainer.json',
      'claude_desktop_config.json',
      'shop.code-workspace',
      'User/settings.json',
      '.npmrc',
      '.ssh/config',
      '.bashrc',
    ];
    assert.deepEqual(
      closed.filter((file) => coversPath(`${work}/${file}`)),
      [],
    );
    const inGit: CallRule = { kind: 'pathInside', folder: `${work}/.git`, realFolder: `${work}/.git` };
    assert.ok(!coversCall(inGit, callFacts({ path: `${work}/.git/config` }, schema, true)), 'not even by a rule for that folder');
  });

  it('covers no call with a second path, a list, an object, an unknown argument or a path that is no text', () => {
    const file = `${work}/a.ts`;
    const calls: readonly JsonObject[] = [
      { path: file, destination: 'b' },
      { path: file, content: '/etc/passwd' },
      { path: file, content: ' ../x ' },
      { path: file, content: '~root' },
      { path: file, content: 'c:x' },
      { path: file, content: '%2e%2e' },
      { path: file, content: '．．' },
      { path: file, content: '.env' },
      { path: file, paths: [] },
      { path: file, paths: ['/etc/passwd'] },
      { path: file, options: { path: '/etc/passwd' } },
      { path: file, limit: [1] },
      { path: file, unknown: 1 },
      { path: file, Path: 1 },
      { path: file, constructor: 1 },
      { path: file, ...(JSON.parse('{"__proto__": 1}') as JsonObject) },
      { path: [file] },
      { path: { path: file } },
      { path: null },
      {},
    ];
    assert.deepEqual(
      calls.filter((call) => covers(call)),
      [],
    );
  });

  it('covers no tool that runs elsewhere, or whose schema does not say that `path` is a text', () => {
    const call = { path: `${work}/a.ts` };
    assert.ok(covers(call));
    assert.ok(!covers(call, schema, false));
    const schemas: readonly JsonObject[] = [
      {},
      { type: 'object' },
      { type: 'object', properties: {} },
      { type: 'object', properties: { path: {} } },
      { type: 'object', properties: { path: { type: ['string', 'array'] } } },
      { type: 'object', properties: { path: { anyOf: [{ type: 'string' }] } } },
      { type: 'object', properties: [] },
      { properties: { path: { type: 'string' } } },
    ];
    assert.deepEqual(
      schemas.filter((each) => covers(call, each)),
      [],
    );
  });

  it('ends for a folder that became a link, and for a file below one', () => {
    const file = `${work}/src/b.ts`;
    const rule = ruleOf(work);
    const isCovered = (): boolean => coversCall(rule, callFacts({ path: file }, schema, true));
    assert.ok(isCovered());
    rmSync(path.join(work, 'src'), { recursive: true });
    symlinkSync(path.join(base, 'outside/src'), path.join(work, 'src'));
    assert.ok(existsSync(file) && !isCovered());
    rmSync(work, { recursive: true });
    symlinkSync(path.join(base, 'outside'), work);
    assert.ok(existsSync(file) && !isCovered());
  });

  it('never covers a call that its words do not: three thousand calls at random', function () {
    this.timeout(60_000);
    for (const [target, name] of linksOf(base)) {
      symlinkSync(target, path.join(work, name));
    }
    let covered = 0;
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const args = randomCall(generator(seed), base);
      if (covers(args)) {
        covered += 1;
        assert.deepEqual(broken(args, work), [], `seed ${seed}: ${JSON.stringify(args)}`);
      }
    }
    assert.ok(covered > 100, `${covered} calls are covered, so that the test says something`);
  });
});

function linksOf(base: string): readonly (readonly [string, string])[] {
  return [
    [path.join(base, 'outside'), 'out'],
    [path.join(base, 'work/src'), 'in'],
    [path.join(base, 'outside/secret.txt'), 'file.ts'],
    ['..', 'up'],
    ['/', 'root'],
    ['.git', 'repository'],
    [path.join(base, 'nowhere'), 'nowhere'],
  ];
}

const names: readonly string[] = [
  'a.ts',
  'src',
  'b.ts',
  'deep',
  'c.ts',
  'new',
  'out',
  'in',
  'file.ts',
  'up',
  'root',
  'repository',
  'nowhere',
  'secret.txt',
  'A.TS',
  'SRC',
  '..',
  '.',
  '',
  '.git',
  '.GIT',
  '.vscode',
  '.env',
  'mcp.json',
  'id_rsa',
  '%2e%2e',
  '%2E',
  '．．',
  '․․',
  'jörg',
  'jo\u0308rg',
  'a.ts.',
  'a.ts ',
  'a\0',
  '..\\out',
  '~',
  'ﬁle.ts',
  'a.ts,/etc',
  '-x',
];
const values: readonly JsonValue[] = [
  'text',
  'a\n/etc/passwd',
  '/etc/passwd',
  '../x',
  3,
  true,
  null,
  [],
  ['/etc'],
  {},
  { path: '/etc' },
  '.env',
  '~',
];
const keys: readonly string[] = ['content', 'limit', 'destination', 'paths', 'options', 'unknown', 'PATH', '__proto__'];

function randomCall(random: Random, base: string): JsonObject {
  const starts = [
    `${base}/work`,
    `${base}/work`,
    `${base}/work`,
    `${base}/work/src`,
    `${base}/outside`,
    base,
    '',
    'work',
    '~',
    '/proc/self/root',
  ];
  const start = starts[random(starts.length)] ?? '';
  const rest = Array.from({ length: 1 + random(4) }, () => names[random(random(2) === 0 ? 6 : names.length)]);
  const written = [start, ...rest].join(random(20) === 0 ? '\\' : '/');
  const given = random(20) === 0 ? [written] : written;
  const others = Array.from({ length: Math.max(0, random(6) - 3) }, () => [
    keys[random(keys.length)] ?? '',
    values[random(values.length)] ?? null,
  ]);
  return Object.fromEntries([['path', given], ...others]) as JsonObject;
}

/** What the words of the rule promise, looked at in another way; the names of the promises that a covered call breaks. */
function broken({ path: given, ...others }: JsonObject, work: string): readonly string[] {
  const written = typeof given === 'string' ? given : '';
  const readings = [
    written,
    ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => written.normalize(form)),
    decodeURIComponent(written),
  ];
  const promises: Readonly<Record<string, boolean>> = {
    'one path': written !== '' && path.isAbsolute(written),
    'inside, however it is read': readings.every((reading) => reallyAt(reading).startsWith(`${realpathSync(work)}/`)),
    'no link on the way': !written
      .slice(work.length + 1)
      .split('/')
      .some((_, index, all) => isLink(path.join(work, ...all.slice(0, index + 1)))),
    'no hidden or sensitive file': !/\/\.|mcp\.json|id_rsa/i.test(written.slice(work.length)),
    'no `..`, encoded or not': !/\.\.|%|\\|\0/.test(written.normalize('NFKC')),
    'only known arguments': Object.keys(others).every(
      (name) => isJsonObject(schema['properties']) && Object.hasOwn(schema['properties'], name),
    ),
    'no list, no object': Object.values(others).every((value) => value === null || typeof value !== 'object'),
    'no second path':
      !('destination' in others) &&
      Object.values(others).every((value) => !['/etc/passwd', '../x', '.env', '~'].some((each) => each === value)),
  };
  return Object.keys(promises).filter((promise) => promises[promise] !== true);
}

/** Where a path leads, by the system's own word for the part of it that is there. */
function reallyAt(written: string): string {
  const whole = path.resolve(written);
  let known = whole;
  while (!existsSync(known)) {
    known = path.dirname(known);
  }
  return path.join(realpathSync(known), path.relative(known, whole));
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
