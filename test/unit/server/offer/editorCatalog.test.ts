import assert from 'node:assert/strict';
import * as z from 'zod';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createEditorCatalog } from '../../../../src/server/offer/editorCatalog.ts';
import { templates } from '../../../../src/server/offer/resources/resourceTable.ts';
import { wholeSchema } from '../../../../src/server/offer/tools/toolSchemas.ts';
import { tools } from '../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../support/fakeCall.ts';
import { FakeEditor } from '../support/fakePorts.ts';
import { runNamed } from '../support/fakeTests.ts';
import { outputOf } from '../../../../src/server/offer/tools/tool.ts';

interface Listing {
  readonly description: string;
  readonly inputSchema: { readonly properties?: Record<string, { readonly description?: string }>; readonly required?: string[] };
  readonly outputSchema: { readonly type?: string; readonly properties?: Record<string, unknown>; readonly required?: string[] };
  readonly annotations: Record<string, unknown>;
}

/** `a b?`: what must be there, and what may. */
function membersOf({ properties = {}, required = [] }: Listing['inputSchema'] | Listing['outputSchema']): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(' ');
}

/** In the order readOnly, destructive, idempotent, openWorld; `-` for one that is left out. */
function hintsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Record<string, unknown>): string {
  return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]
    .map((hint) => (hint === undefined ? '-' : hint === true ? 'y' : 'n'))
    .join('');
}

const place = 'path line? character? symbol?';

/** Name, role, who asks, hints, input, output. A change here breaks somebody's agent: additions only. */
const published = [
  ['list_open_editors', 'reader', 'looks', 'y--n', 'maxChars? cursor?', 'editors note? nextCursor?'],
  [
    'get_diagnostics',
    'reader',
    'looks',
    'y--n',
    'path? scope? severity? source? waitMs? limit? maxChars? cursor?',
    'diagnostics documents settled total note? nextCursor?',
  ],
  ['list_workspace_folders', 'reader', 'looks', 'y--n', 'maxChars? cursor?', 'folders note? nextCursor?'],
  [
    'read_file',
    'reader',
    'looks',
    'y--n',
    'path startLine? endLine? startCharacter? maxChars?',
    'path text version isDirty totalLines startLine? startCharacter? nextStartLine? nextStartCharacter? mimeType? size? note?',
  ],
  ['read_symbol', 'reader', 'looks', 'y--n', 'path? symbol maxChars?', 'path range text version isDirty note?'],
  ['get_selection', 'reader', 'looks', 'y--n', 'maxChars?', 'path? uri? languageId? selections note?'],
  ['get_document_symbols', 'reader', 'looks', 'y--n', 'path depth? maxChars? cursor?', 'symbols note? nextCursor?'],
  ['get_syntax_tree', 'reader', 'looks', 'y--n', 'path depth? range? maxChars?', 'root providers isCut note?'],
  ['search_symbols', 'reader', 'looks', 'y--n', 'query limit? maxChars? cursor?', 'symbols note? nextCursor?'],
  ['go_to_definition', 'reader', 'looks', 'y--n', `${place} maxChars? cursor?`, 'locations note? nextCursor?'],
  ['find_references', 'reader', 'looks', 'y--n', `${place} includeDeclaration? maxChars? cursor?`, 'locations note? nextCursor?'],
  ['get_hover', 'reader', 'looks', 'y--n', `${place} maxChars?`, 'contents note?'],
  ['get_call_hierarchy', 'reader', 'looks', 'y--n', `${place} direction maxChars? cursor?`, 'calls note? nextCursor?'],
  ['list_code_actions', 'reader', 'looks', 'y--n', 'path startLine endLine kind? maxChars? cursor?', 'actions note? nextCursor?'],
  ['list_directory', 'reader', 'looks', 'y--n', 'path? depth? maxChars? cursor?', 'entries note? nextCursor?'],
  ['find_files', 'reader', 'looks', 'y--n', 'pattern exclude? includeIgnored? limit? maxChars? cursor?', 'files note? nextCursor?'],
  [
    'search_text',
    'reader',
    'looks',
    'y--n',
    'query isRegex? isCaseSensitive? include? exclude? includeIgnored? limit? maxChars? cursor?',
    'matches note? nextCursor?',
  ],
  ['get_terminal_output', 'runner', 'looks', 'y--n', 'terminalId? limit? maxChars?', 'commands note?'],
  ['list_tasks', 'reader', 'looks', 'y--n', 'maxChars? cursor?', 'tasks note? nextCursor?'],
  ['get_git_changes', 'reader', 'looks', 'y--n', 'staged? path? summary? limit? maxChars? cursor?', 'changes note? nextCursor?'],
  ['get_test_results', 'reader', 'looks', 'y--n', 'runId? onlyFailures? maxChars?', 'run? note?'],
  ['run_tests', 'runner', 'acts, asks itself', 'nyny', 'folder? filter? onlyFailures? maxChars? wait?', 'run unsaved note?'],
  ['open_file', 'reader', 'acts', 'nnyn', 'path line? character? preview?', 'ok note?'],
  ['show_message', 'reader', 'acts', 'nnnn', 'message level?', 'ok'],
  [
    'propose_edit',
    'editor',
    'acts',
    'nynn',
    'path cell? newText? edits? expectedVersion? description? save?',
    'outcome reason? text? version isSaved diagnostics note?',
  ],
  ['propose_edits', 'editor', 'acts', 'nynn', 'files description? save?', 'files reason? diagnostics note?'],
  ['save_file', 'editor', 'acts, asks itself', 'nyyn', 'path', 'ok note?'],
  ['format_document', 'editor', 'acts', 'nyyn', 'path', 'outcome reason? files note?'],
  ['rename_symbol', 'editor', 'acts', 'nynn', `${place} newName save?`, 'outcome reason? files note? diagnostics'],
  ['apply_code_action', 'editor', 'acts', 'nyny', 'path startLine endLine title', 'outcome reason? files note?'],
  ['run_task', 'runner', 'acts, asks itself', 'nyny', 'name wait?', 'runId exitCode? output? note? unsaved'],
  [
    'run_terminal_command',
    'runner',
    'acts, asks itself',
    'nyny',
    'command? input? cwd? wait? waitFor? timeoutMs?',
    'exitCode? output? note? isRunning',
  ],
  ['list_debug', 'runner', 'looks', 'y--n', '', 'configurations sessions breakpoints note?'],
  ['set_breakpoints', 'runner', 'acts', 'nnyy', 'path breakpoints', 'breakpoints'],
  ['start_debugging', 'runner', 'acts, asks itself', 'nyny', 'configuration? test? waitMs?', 'stop unsaved note?'],
  ['debug_step', 'runner', 'acts', 'nyny', 'sessionId? action toLine? waitMs?', 'stop'],
  ['get_debug_state', 'runner', 'looks', 'y--n', 'sessionId? frame? names? depth? maxChars?', 'stop stack variables note?'],
  ['debug_evaluate', 'runner', 'acts, asks itself', 'nyny', 'expression sessionId? frame? timeoutMs?', 'type? value isCut'],
  ['trace_run', 'runner', 'acts, asks itself', 'nyny', 'places configuration? test? timeoutMs? maxChars?', 'events run? note?'],
];

/** One call of each tool that succeeds against the stand-in editor. */
const samples: Readonly<Record<string, JsonObject>> = {
  list_open_editors: {},
  get_diagnostics: { limit: 1 },
  list_workspace_folders: {},
  read_file: { path: 'src/a.ts' },
  read_symbol: { path: 'src/a.ts', symbol: 'total' },
  get_selection: {},
  get_document_symbols: { path: 'src/a.ts' },
  get_syntax_tree: { path: 'src/a.ts' },
  search_symbols: { query: 'total' },
  go_to_definition: { path: 'src/a.ts', line: 1, character: 1 },
  find_references: { path: 'src/a.ts', line: 1, character: 1 },
  get_hover: { path: 'src/a.ts', line: 1, character: 1 },
  get_call_hierarchy: { path: 'src/a.ts', line: 1, character: 1, direction: 'incoming' },
  list_code_actions: { path: 'src/a.ts', startLine: 1, endLine: 2 },
  list_directory: {},
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
  propose_edits: { files: [{ path: 'src/a.ts', newText: 'new\n' }] },
  save_file: { path: 'src/a.ts' },
  format_document: { path: 'src/a.ts' },
  rename_symbol: { path: 'src/a.ts', line: 1, character: 1, newName: 'sum' },
  apply_code_action: { path: 'src/a.ts', startLine: 1, endLine: 1, title: 'Fix' },
  run_task: { name: 'build', wait: false },
  run_terminal_command: { command: 'ls' },
  list_debug: {},
  set_breakpoints: { path: 'src/a.ts', breakpoints: [{ line: 1 }] },
  start_debugging: { configuration: 'Run' },
  debug_step: { action: 'over' },
  get_debug_state: {},
  debug_evaluate: { expression: 'sum' },
  trace_run: { places: [{ path: 'src/a.ts', line: 1, expressions: ['sum'] }], configuration: 'Run' },
};

describe('What the editor publishes', () => {
  const editor = new FakeEditor();
  const catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });

  it('tools have these names, roles, hints, parameters and outputs', () => {
    const actual = tools.map(({ name, role, acts, asks, output, listing }) => {
      const { inputSchema, annotations } = listing as unknown as Listing;
      const outputSchema = wholeSchema(output) as Listing['outputSchema'];
      const who = `${acts ? 'acts' : 'looks'}${asks === 'call' ? ', asks itself' : ''}`;
      return [name, role, who, hintsOf(annotations), membersOf(inputSchema), membersOf(outputSchema)];
    });
    assert.deepEqual(actual, published);
  });

  it('tools are listed in no more characters than a model has to spare', () => {
    const lengthOf = (): number => JSON.stringify({ tools: catalog.tools.map(({ listing }) => listing) }).length;
    assert.equal(catalog.tools.length, tools.length);
    assert.ok(lengthOf() < 30_000, `${lengthOf()} characters`);
    editor.debug.hasDebugger = false;
    assert.ok(lengthOf() < 24_000, `${lengthOf()} characters without the debugger`);
    assert.equal(
      catalog.tools.some(({ name }) => /debug|breakpoints|trace/.test(name)),
      false,
    );
    editor.debug.hasDebugger = true;
    assert.ok(catalog.instructions.length <= 2_500, `${catalog.instructions.length} characters of instructions`);
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

  it('every parameter of every tool and prompt is described in the reference', () => {
    const missing = tools.flatMap(({ name, input }) =>
      Object.entries((wholeSchema(input) as unknown as Listing['inputSchema']).properties ?? {})
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

  it('every text that a tool takes has an end, but for source', () => {
    const endless = (name: string, schema: JsonObject): string[] => [
      ...(schema.type === 'string' && schema.maxLength === undefined && schema.enum === undefined ? [name] : []),
      ...Object.entries((schema.properties ?? {}) as JsonObject).flatMap(([member, part]) =>
        endless(`${name}.${member}`, part as JsonObject),
      ),
      ...(schema.items === undefined ? [] : endless(name, schema.items as JsonObject)),
    ];
    assert.deepEqual(
      tools.flatMap(({ name, input }) => endless(name, wholeSchema(input))).filter((name) => !/\.(?:newText|oldText)$/.test(name)),
      [],
    );
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
      assert.deepEqual(outputSchema.type, 'object', name);
      const published = z.fromJSONSchema(outputSchema as Parameters<typeof z.fromJSONSchema>[0]);
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
