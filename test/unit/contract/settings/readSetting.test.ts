import assert from 'node:assert/strict';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import { describeProblem } from '../../../../src/contract/settings/settingProblems.ts';
import { settings, type SettingName, type WindowSettingName } from '../../../../src/contract/settings/settings.ts';

/** What counts of a value, and the sentences about what does not. */
function read(name: WindowSettingName, value: unknown): { readonly counts: unknown; readonly problems: readonly string[] } {
  const reading = readSetting(name, value);
  return reading.kind === 'valid'
    ? { counts: reading.value, problems: [] }
    : { counts: reading.rest, problems: reading.problems.map((problem) => describeProblem(name, problem)) };
}

const limits = {
  bodyBytes: 4_194_304,
  sessions: 256,
  streams: 1_024,
  requestsPerSecond: 5_000,
  actingPerSecond: 10,
  oauthPerSecond: 10,
  idleSessionMinutes: 30,
};

describe('A setting that is left out', () => {
  it('has its default, whichever it is', () => {
    const names = Object.keys(settings) as SettingName[];
    const malformed = names.filter((name) => readSetting(name as WindowSettingName, undefined).kind === 'malformed');
    assert.deepEqual(malformed, []);
    assert.deepEqual(read('duplex.server.limits', undefined), { counts: limits, problems: [] });
    assert.deepEqual(read('duplex.server.tls', undefined), { counts: undefined, problems: [] });
  });
});

describe('A malformed setting', () => {
  const cases: readonly (readonly [name: WindowSettingName, value: unknown, counts: unknown, problem: string])[] = [
    ['duplex.discovery', 'vscode', ['vscode', 'mcpJson'], 'duplex.discovery must be an array'],
    [
      'duplex.discovery',
      ['cursor', 'elsewhere'],
      ['vscode', 'mcpJson'],
      'entry 2 in duplex.discovery must be one of "vscode", "vscodeUser", "mcpJson", "devcontainer", "claudeDesktop", "copilotCli", "cursor", "windsurf"',
    ],
    ['duplex.anthropic.baseUrl', null, '', 'duplex.anthropic.baseUrl must be a text'],
    ['duplex.chat.provider', 'other', 'auto', 'duplex.chat.provider must be one of "auto", "anthropic", "vscode", "offline"'],
    ['duplex.chat.maxRounds', 1.5, 25, 'duplex.chat.maxRounds must be a whole number'],
    ['duplex.chat.maxTokens', 0, 8_192, 'duplex.chat.maxTokens must be at least 1'],
    ['duplex.server.enabled', 'no', true, 'duplex.server.enabled must be true or false'],
    ['duplex.server.port', 70_000, 0, 'duplex.server.port must be at most 65535'],
    ['duplex.server.allowedOrigins', 'https://a.example', [], 'duplex.server.allowedOrigins must be an array'],
    ['duplex.server.limits', [], limits, 'duplex.server.limits must be an object'],
    ['duplex.log.level', 3, 'info', 'duplex.log.level must be one of "off", "error", "warn", "info", "debug", "trace"'],
  ];
  for (const [name, value, counts, problem] of cases) {
    it(`counts as its default when ${name} is ${JSON.stringify(value)}, and says what is wrong`, () => {
      assert.deepEqual(read(name, value), { counts, problems: [problem] });
    });
  }

  it('never counts as its default when it is the policy or tls', () => {
    const strict = Object.entries(settings).filter(([, setting]) => 'neverIgnored' in setting);
    assert.deepEqual(
      strict.map(([name]) => name),
      ['duplex.server.policy', 'duplex.server.tls'],
    );
    for (const value of [null, false, 0, '', 'none', [0], { enabled: false }]) {
      for (const name of ['duplex.server.policy', 'duplex.server.tls'] as const) {
        assert.equal(readSetting(name, value).kind, 'malformed', `${name}: ${JSON.stringify(value)}`);
      }
    }
  });
});

describe('duplex.server.limits', () => {
  it('takes positive, bounded numbers and names what it ignores', () => {
    const given = {
      bodyBytes: 65_536,
      sessions: 0,
      streams: '5',
      requestsPerSecond: 1e12,
      actingPerSecond: 1.5,
      oauthPerSecond: 20,
      idleSessionMinutes: 0.5,
      requestsInFlight: 3,
      constructor: 1,
    };
    assert.deepEqual(read('duplex.server.limits', given), {
      counts: { ...limits, bodyBytes: 65_536, oauthPerSecond: 20, idleSessionMinutes: 0.5 },
      problems: [
        '"sessions" in duplex.server.limits must be at least 1',
        '"streams" in duplex.server.limits must be a number',
        '"requestsPerSecond" in duplex.server.limits must be at most 1000000',
        '"actingPerSecond" in duplex.server.limits must be a whole number',
        '"requestsInFlight" in duplex.server.limits is not known',
        '"constructor" in duplex.server.limits is not known',
      ],
    });
  });
});

describe('duplex.server.allowedOrigins', () => {
  it('leaves out what is no origin and keeps the others', () => {
    const like = 'in duplex.server.allowedOrigins must be like "https://example.com" or "http://localhost:8080"';
    const given = ['https://a.example', '*', 'vscode-webview://panel', 'https://a.example/path', 'https://a b.example', 'https://[', 5];
    assert.deepEqual(read('duplex.server.allowedOrigins', given), {
      counts: ['https://a.example', 'vscode-webview://panel'],
      problems: [
        `entry 2 ${like}`,
        `entry 4 ${like}`,
        `entry 5 ${like}`,
        'entry 6 in duplex.server.allowedOrigins must be an address',
        'entry 7 in duplex.server.allowedOrigins must be a text',
      ],
    });
  });
});

describe('duplex.server.policy', () => {
  it('keeps the rules that can be read beside the news that it is malformed', () => {
    const good = { effect: 'deny', tool: ['run_*'], hours: '22:00-24:00', until: '2026-01-15' };
    const given = [{ effect: 'allow' }, good, { effect: 'ask', tool: 3, role: 'owner', hours: '9-18', until: 'soon', paths: 'x' }, 'deny'];
    assert.deepEqual(read('duplex.server.policy', given), {
      counts: [good],
      problems: [
        'entry 1, "effect" in duplex.server.policy must be one of "deny", "ask"',
        'entry 3, "role" in duplex.server.policy must be one of "reader", "editor", "runner"',
        'entry 3, "tool" in duplex.server.policy must be a glob or an array of globs, none of them empty',
        'entry 3, "hours" in duplex.server.policy must be like "09:00-18:00"',
        'entry 3, "until" in duplex.server.policy must be an ISO date',
        'entry 3, "paths" in duplex.server.policy is not known',
        'entry 4 in duplex.server.policy must be an object',
      ],
    });
  });
});

describe('duplex.server.tls', () => {
  it('is whole, or nothing of it counts', () => {
    const files = { cert: '/a/cert.pem', key: '/a/key.pem' };
    assert.deepEqual(read('duplex.server.tls', files).counts, { ...files, ca: undefined });
    assert.deepEqual(read('duplex.server.tls', { ...files, key: '' }), {
      counts: undefined,
      problems: ['"key" in duplex.server.tls is missing'],
    });
    assert.deepEqual(read('duplex.server.tls', { ...files, ca: 1, passphrase: 'x' }), {
      counts: undefined,
      problems: ['"ca" in duplex.server.tls must be a text', '"passphrase" in duplex.server.tls is not known'],
    });
  });
});
