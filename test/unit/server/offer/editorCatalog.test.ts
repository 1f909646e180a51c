import assert from 'node:assert/strict';
import * as z from 'zod';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createEditorCatalog } from '../../../../src/server/offer/editorCatalog.ts';
import { templates } from '../../../../src/server/offer/resources/resourceTable.ts';
import { tools } from '../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../support/fakeCall.ts';
import { FakeEditor } from '../support/fakePorts.ts';
import { runNamed } from '../support/fakeTests.ts';
import { outputOf } from '../../../../src/server/offer/tools/tool.ts';

interface Listing {
  readonly description: string;
  readonly inputSchema: { readonly properties?: Record<string, { readonly description?: string }>; readonly required?: string[] };
  readonly outputSchema: { readonly properties?: Record<string, unknown>; readonly required?: string[] };
  readonly annotations: Record<string, unknown>;
}

/** `a b?`: what must be there, and what may. */
function membersOf({ properties = {}, required = [] }: Listing['inputSchema'] | Listing['outputSchema']): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(' ');
}

/** In the order readOnly, destructive, idempotent, openWorld. */
function hintsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Record<string, unknown>): string {
  return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map((hint) => (hint === true ? 'y' : 'n')).join('');
}

const place = 'path line character';

/** Name, role, who asks, hints, input, output. A change here breaks somebody's agent: additions only. */
const published = [
  ['list_open_editors', 'reader', 'looks', 'ynyn', '', 'editors'],
  [
    'get_diagnostics',
    'reader',
    'looks',
    'ynyn',
    'path? severity? source? waitMs? limit? cursor?',
    'diagnostics documents settled total note? nextCursor?',
  ],
  ['list_workspace_folders', 'reader', 'looks', 'ynyn', '', 'folders'],
  ['read_file', 'reader', 'looks', 'ynyn', 'path startLine? endLine?', 'path text version isDirty totalLines nextStartLine? note?'],
  ['get_selection', 'reader', 'looks', 'ynyn', '', 'path? uri? languageId? selections note?'],
  ['get_document_symbols', 'reader', 'looks', 'ynyn', 'path', 'symbols note?'],
  ['get_syntax_tree', 'reader', 'looks', 'ynyn', 'path depth? range?', 'root providers isCut'],
  ['search_symbols', 'reader', 'looks', 'ynyn', 'query limit?', 'symbols'],
  ['go_to_definition', 'reader', 'looks', 'ynyn', place, 'locations note?'],
  ['find_references', 'reader', 'looks', 'ynyn', `${place} includeDeclaration?`, 'locations note?'],
  ['get_hover', 'reader', 'looks', 'ynyn', place, 'contents'],
  ['get_call_hierarchy', 'reader', 'looks', 'ynyn', `${place} direction`, 'calls'],
  ['list_code_actions', 'reader', 'looks', 'ynyn', 'path startLine endLine kind?', 'actions'],
  ['find_files', 'reader', 'looks', 'ynyn', 'pattern exclude? includeIgnored? limit? cursor?', 'files nextCursor?'],
  [
    'search_text',
    'reader',
    'looks',
    'ynyn',
    'query isRegex? isCaseSensitive? include? exclude? includeIgnored? limit? cursor?',
    'matches nextCursor?',
  ],
  ['get_terminal_output', 'runner', 'looks', 'ynyn', 'terminalId? limit?', 'commands note?'],
  ['list_tasks', 'reader', 'looks', 'ynyn', '', 'tasks'],
  ['get_git_changes', 'reader', 'looks', 'ynyn', 'staged? path?', 'changes'],
  ['get_test_results', 'reader', 'looks', 'ynyn', 'runId? onlyFailures?', 'run? note?'],
  ['run_tests', 'runner', 'acts, asks itself', 'nyny', 'filter? wait?', 'run unsaved note?'],
  ['open_file', 'reader', 'acts', 'nnyn', 'path line? character? preview?', 'ok'],
  ['show_message', 'reader', 'acts', 'nnnn', 'message level?', 'ok'],
  [
    'propose_edit',
    'editor',
    'acts',
    'nynn',
    'path newText? edits? expectedVersion? description?',
    'outcome reason? text version diagnostics isTextCut?',
  ],
  ['save_file', 'editor', 'acts, asks itself', 'nyyn', 'path', 'ok note?'],
  ['format_document', 'editor', 'acts', 'nyyn', 'path', 'ok outcome? note?'],
  ['rename_symbol', 'editor', 'acts', 'nynn', `${place} newName`, 'files outcome?'],
  ['apply_code_action', 'editor', 'acts', 'nyny', 'path startLine endLine title', 'ok outcome? note?'],
  ['run_task', 'runner', 'acts, asks itself', 'nyny', 'name wait?', 'runId exitCode? output? note? unsaved'],
  ['run_terminal_command', 'runner', 'acts, asks itself', 'nyny', 'command cwd? wait? timeoutMs?', 'exitCode? output? note?'],
];

/** One call of each tool that succeeds against the stand-in editor. */
const samples: Readonly<Record<string, JsonObject>> = {
  list_open_editors: {},
  get_diagnostics: { limit: 1 },
  list_workspace_folders: {},
  read_file: { path: 'src/a.ts' },
  get_selection: {},
  get_document_symbols: { path: 'src/a.ts' },
  get_syntax_tree: { path: 'src/a.ts' },
  search_symbols: { query: 'total' },
  go_to_definition: { path: 'src/a.ts', line: 1, character: 1 },
  find_references: { path: 'src/a.ts', line: 1, character: 1 },
  get_hover: { path: 'src/a.ts', line: 1, character: 1 },
  get_call_hierarchy: { path: 'src/a.ts', line: 1, character: 1, direction: 'incoming' },
  list_code_actions: { path: 'src/a.ts', startLine: 1, endLine: 2 },
  find_files: { pattern: '**', limit: 1 },
  search_text: { query: 'total', limit: 1 },
  get_terminal_output: {},
  list_tasks: {},
  get_git_changes: {},
  get_test_results: {},
  run_tests: { wait: false },
  open_file: { path: 'src/a.ts' },
  show_message: { message: 'hello' },
  propose_edit: { path: 'src/a.ts', newText: 'new\n' },
  save_file: { path: 'src/a.ts' },
  format_document: { path: 'src/a.ts' },
  rename_symbol: { path: 'src/a.ts', line: 1, character: 1, newName: 'sum' },
  apply_code_action: { path: 'src/a.ts', startLine: 1, endLine: 1, title: 'Fix' },
  run_task: { name: 'build', wait: false },
  run_terminal_command: { command: 'ls' },
};

describe('What the editor publishes', () => {
  const editor = new FakeEditor();
  const catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });

  it('tools have these names, roles, hints, parameters and outputs', () => {
    const actual = tools.map(({ name, role, acts, asks, listing }) => {
      const { inputSchema, outputSchema, annotations } = listing as unknown as Listing;
      const who = `${acts ? 'acts' : 'looks'}${asks === 'call' ? ', asks itself' : ''}`;
      return [name, role, who, hintsOf(annotations), membersOf(inputSchema), membersOf(outputSchema)];
    });
    assert.deepEqual(actual, published);
  });

  it('resources, templates and prompts have these names', () => {
    assert.deepEqual(
      catalog.listResources(undefined).map(({ uri }) => uri),
      [
        'editor://open',
        'diagnostics://workspace',
        'workspace://folders',
        'editor://active',
        'editor://selection',
        'tests://latest',
        'git://changes',
      ],
    );
    assert.deepEqual(
      catalog.templates.map(({ uriTemplate }) => uriTemplate),
      [
        'diagnostics://file/{+path}',
        'file:///{+path}',
        'symbols://file/{+path}',
        'syntax://file/{+path}',
        'tests://runs/{id}',
        'tests://runs/{id}/output',
        'terminal://{id}',
      ],
    );
    const argumentsOf = (listing: JsonObject): string =>
      (listing.arguments as { name: string; required: boolean }[]).map(({ name, required }) => (required ? name : `${name}?`)).join(' ');
    assert.deepEqual(
      catalog.prompts.map(({ name, listing }) => [name, argumentsOf(listing)]),
      [
        ['fix_diagnostics', 'path? severity?'],
        ['explain_selection', 'question?'],
        ['review_changes', 'staged? focus?'],
        ['triage_test_failure', 'runId? test?'],
        ['write_tests', 'path? framework?'],
      ],
    );
  });

  it('every parameter of every tool and prompt is described', () => {
    const missing = tools.flatMap(({ name, listing }) =>
      Object.entries((listing as unknown as Listing).inputSchema.properties ?? {})
        .filter(([, { description = '' }]) => description === '')
        .map(([parameter]) => `${name}.${parameter}`),
    );
    const silent = catalog.prompts.flatMap(({ name, listing }) =>
      (listing.arguments as { name: string; description: string }[])
        .filter(({ description }) => description === '')
        .map((each) => `${name}.${each.name}`),
    );
    assert.deepEqual([...missing, ...silent], []);
  });

  it('each tool’s output keeps to its schema', async () => {
    assert.deepEqual(
      Object.keys(samples),
      tools.map(({ name }) => name),
      'there is a sample of each',
    );
    for (const tool of tools) {
      const { name, listing, output: schema } = tool;
      const own = new FakeEditor();
      own.tests.runs = [runNamed('run-1', {})];
      own.acting.codeAction = { hasEdit: true } as typeof own.acting.codeAction;
      const output: unknown = JSON.parse(JSON.stringify(await outputOf(tool, samples[name] ?? {}, { editor: own, call: fakeCall() })));
      const { outputSchema } = listing as unknown as Listing;
      const published = z.fromJSONSchema({ ...outputSchema, additionalProperties: false } as Parameters<typeof z.fromJSONSchema>[0]);
      for (const each of [published, schema.strict()]) {
        const checked = each.safeParse(output);
        assert.deepEqual(checked.success ? [] : checked.error.issues, [], `${name}: ${JSON.stringify(output)}`);
      }
    }
  });

  it('completes the variable of each template without failing, and nothing for what it does not know', async () => {
    for (const { listing } of templates) {
      const uri = listing.uriTemplate as string;
      const name = /\{\+?(\w+)\}/.exec(uri)?.[1] ?? '';
      const known = await catalog.complete({ ref: { kind: 'resource', uri }, argument: { name, value: '' }, context: {} }, fakeCall());
      assert.ok(Array.isArray(known.values), uri);
      const unknown = await catalog.complete(
        { ref: { kind: 'resource', uri }, argument: { name: 'other', value: '' }, context: {} },
        fakeCall(),
      );
      assert.deepEqual(unknown.values, [], uri);
    }
    const nowhere = await catalog.complete(
      { ref: { kind: 'resource', uri: 'nothing://{x}' }, argument: { name: 'x', value: '' }, context: {} },
      fakeCall(),
    );
    assert.deepEqual(nowhere.values, []);
  });
});
