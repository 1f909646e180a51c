import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import fc from 'fast-check';
import { isAppError } from '../../../src/base/errors.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import { toPlainText } from '../../../src/base/terminalText.ts';
import { chatToHost, chatToView } from '../../../src/contract/chat/chatMessages.ts';
import { auditToHost, auditToView } from '../../../src/contract/pages/auditMessages.ts';
import { doctorToHost, doctorToView } from '../../../src/contract/pages/doctorMessages.ts';
import { type MessageSet, parseMessage } from '../../../src/contract/pages/messageLink.ts';
import { permissionsToHost, permissionsToView } from '../../../src/contract/pages/permissionMessages.ts';
import { registryToHost, registryToView } from '../../../src/contract/pages/registryMessages.ts';
import { runnerToHost, runnerToView } from '../../../src/contract/pages/runnerMessages.ts';
import { trafficToHost, trafficToView } from '../../../src/contract/pages/trafficMessages.ts';
import { consentToHost, consentToView } from '../../../src/contract/questions/questions.ts';
import { readPasted } from '../../../src/definitions/pasted/readPasted.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { expand, replaceSecretVariables, unknownVariablesIn } from '../../../src/definitions/variables.ts';
import { installFields, slotsOf } from '../../../src/registry/installForm.ts';
import { waysOf } from '../../../src/registry/installWays.ts';
import { readPage } from '../../../src/registry/serverJson.ts';
import { readableArgumentForm } from '../../../src/schemaForms/argumentForm.ts';
import { argumentProblems } from '../../../src/schemaForms/argumentProblems.ts';
import { emptyMembers, startingValue } from '../../../src/schemaForms/argumentValues.ts';
import { acceptedContent, defaultAnswers, elicitationForm } from '../../../src/schemaForms/elicitationForm.ts';
import { exampleArguments, parameterRows } from '../../../src/schemaForms/toolArguments.ts';
import { pathFromUri, pathToUri } from '../../../src/server/offer/resources/pathTemplate.ts';
import { templates } from '../../../src/server/offer/resources/resourceTable.ts';
import { parseReport } from '../../../src/testRuns/parsers/parseReport.ts';
import { splitFileReferences } from '../../../src/webview/markdown/fileReferences.ts';
import { parseMarkdown } from '../../../src/webview/markdown/parseMarkdown.ts';
import { hostileMarkdown } from '../../fixtures/hostileMarkdown.ts';
import { knownServers } from '../../fixtures/registry/entries.ts';
import { repositoryRoot } from '../run/repository.mjs';
import { appTargets } from './appTargets.ts';
import { anyJson, changedJson, changedText } from './arbitraries.ts';
import { debugTargets } from './debugTargets.ts';
import { messageTargets } from './messageTargets.ts';
import { socketTarget } from './socketTarget.ts';
import { storedTargets } from './storedTargets.ts';
import { type Target, target } from './target.ts';

const fixtures = path.join(repositoryRoot, 'test', 'fixtures');
const textsIn = (folder: string): string[] =>
  readdirSync(path.join(fixtures, folder)).map((name) => readFileSync(path.join(fixtures, folder, name), 'utf8'));

const servers: readonly unknown[] = [
  {
    memory: { command: 'npx', args: ['-y', 'a'], env: { A: '${env:B}', C: '${input:key}' }, cwd: '${workspaceFolder}/x', envFile: '.env' },
  },
  { remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${input:key}' }, type: 'http', auth: { clientId: 'a' } } },
  { own: { command: 'node', args: ['a.js'], dev: { watch: ['dist/**'], debug: 'node' }, disabled: true, timeout: 1000 } },
];
const inputs: readonly unknown[] = [[{ id: 'key', type: 'promptString', description: 'A key', password: true }], undefined];

const settings = target('settings', fc.tuple(changedJson(servers), changedJson(inputs)), ([value, given]) => {
  const { definitions } = readDefinitions(
    [
      { scope: 'user', location: 'user settings', value, inputs: given },
      { scope: 'workspace', location: 'workspace settings', workspace: '/w', value },
    ],
    { A: 'x' },
  );
  assert.equal(new Set(definitions.map(({ id }) => id)).size, definitions.length, 'each server has an id of its own');
});

const schemas = textsIn('schemas').flatMap((text) => (JSON.parse(text) as { schema: unknown }[]).map(({ schema }) => schema));

const forms = target('tool schemas', fc.tuple(changedJson(schemas), anyJson), ([schema, value]) => {
  if (!isJsonObject(schema)) {
    return;
  }
  const form = readableArgumentForm(schema);
  if (form !== undefined) {
    form.fields.forEach((field) => startingValue(field));
    argumentProblems(form, emptyMembers(form));
    argumentProblems(form, isJsonObject(value) ? value : {});
  }
  parameterRows(schema);
  JSON.stringify(exampleArguments(schema));
  const asked = elicitationForm(schema);
  if ('fields' in asked) {
    acceptedContent(asked.fields, defaultAnswers(asked.fields));
  }
});

const uris = target(
  'URIs and templates',
  changedText([
    'file:///a/b%20c.ts',
    'diagnostics://file/src/a.ts',
    'terminal://1',
    '${env:A}${input:b}${workspaceFolder}',
    'tests://run/1',
    'a/../b',
  ]),
  (text) => {
    const decoded = pathFromUri(text);
    if (decoded !== undefined && !/\p{Surrogate}/u.test(decoded) && !/^[a-z][a-z0-9+.-]+:/i.test(decoded)) {
      assert.equal(pathFromUri(pathToUri(decoded)), decoded, 'a path survives its address');
    }
    templates.forEach((template) => void template.match(text));
    unknownVariablesIn(text);
    replaceSecretVariables(text, 'x');
    try {
      const { shown } = expand(text, {
        folder: undefined,
        folders: [],
        userHome: '/home',
        env: { A: 'secret-value' },
        inputs: new Map([['b', 'secret-value']]),
      });
      assert.ok(text.includes('secret-value') || !shown.includes('secret-value'), 'what is shown has no value of a variable');
    } catch (error) {
      assert.ok(isAppError(error), String(error));
    }
  },
);

const pasted = target(
  'pasted servers',
  changedText([
    'npx -y a --key "b c"',
    'claude mcp add x -e A=b -- node a.js',
    '{"mcpServers":{"a":{"command":"b"}}}',
    'https://example.com/mcp',
    'docker run -i --rm a',
  ]),
  (text) => void readPasted(text),
);

const markdown = target(
  'Markdown',
  changedText([
    ...hostileMarkdown.map((each) => each.slice(0, 3_000)),
    readFileSync(path.join(repositoryRoot, 'README.md'), 'utf8').slice(0, 6_000),
  ]),
  (text) => {
    parseMarkdown(text);
    splitFileReferences(text.slice(0, 2_000));
  },
);

const reports = target(
  'test reports',
  fc.tuple(changedText(textsIn('reports').map((text) => text.slice(0, 6_000))), fc.boolean()),
  ([text, isCut]) => {
    const parsed = parseReport({ text: toPlainText(text), isCut });
    for (const [name, count] of Object.entries(parsed?.counts ?? {})) {
      assert.ok(count === undefined || (Number.isSafeInteger(count) && count >= 0), `${name} is ${String(count)}`);
    }
  },
);

const registry = target('registry answers', changedJson([{ servers: knownServers, metadata: { nextCursor: 'a', count: 2 } }]), (raw) => {
  for (const entry of readPage(raw, 100)?.entries ?? []) {
    for (const way of waysOf(entry)) {
      if (way.refusal === undefined) {
        slotsOf(way);
        installFields(way);
      }
    }
  }
});

const sets: readonly MessageSet[] = [
  ...[chatToHost, chatToView, auditToHost, auditToView, doctorToHost, doctorToView, permissionsToHost, permissionsToView],
  ...[registryToHost, registryToView, runnerToHost, runnerToView, trafficToHost, trafficToView, consentToHost, consentToView],
];
const names = sets.flatMap((set) => Object.keys(set));
const bodies: readonly unknown[] = [
  {},
  { text: 'a' },
  { askId: 'a', choice: 'allowOnce' },
  { key: { serverId: 'a', tool: 'b' }, arguments: '{}' },
  { id: 'a', ids: ['a'], filter: { who: '', what: '', outcome: '', hours: 0 } },
];

const webviews = target(
  'webview messages',
  fc.tuple(
    fc.constantFrom(...sets),
    fc.oneof(fc.record({ name: fc.constantFrom(...names, '__proto__', 'toString'), body: changedJson(bodies) }), anyJson),
  ),
  ([set, raw]) => {
    const message = parseMessage(set, raw);
    if (message !== undefined) {
      assert.ok(Object.hasOwn(set, message.name));
      assert.deepEqual(parseMessage(set, message), message, 'what was let in is let in again as it is');
    }
  },
);

export const targets: readonly Target[] = [
  ...messageTargets,
  settings,
  forms,
  uris,
  pasted,
  markdown,
  reports,
  registry,
  webviews,
  ...storedTargets,
  ...appTargets,
  ...debugTargets,
  socketTarget,
];
