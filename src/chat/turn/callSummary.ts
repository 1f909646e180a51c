// What the line of a tool call's card says beside the name: what the call is about, and what came of it.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CallFact } from '../../contract/chat/callFacts.ts';
import { editorServerName } from '../../contract/identity.ts';
import type { ModelTool } from '../models/modelProvider.ts';

/** A longer text is no name of anything; the card shows it when it is opened. */
const maxAboutChars = 200;
/** The longest argument, in characters, that the line of a card shows; a longer one is left out. */
const maxShortChars = 80;

/** The arguments of the editor's tools that say what a call is about, the most telling first. */
const editorArguments: Readonly<Record<string, readonly string[]>> = {
  read_file: ['path'],
  read_symbol: ['symbol'],
  get_diagnostics: ['path', 'scope'],
  get_document_symbols: ['path'],
  get_syntax_tree: ['path'],
  search_symbols: ['query'],
  go_to_definition: ['symbol', 'path'],
  find_references: ['symbol', 'path'],
  get_hover: ['symbol', 'path'],
  get_call_hierarchy: ['symbol', 'path'],
  list_code_actions: ['path'],
  list_directory: ['path'],
  find_files: ['pattern'],
  search_text: ['query'],
  get_terminal_output: ['terminalId'],
  get_git_changes: ['path'],
  get_test_results: ['runId'],
  run_tests: ['filter', 'folder'],
  open_file: ['path'],
  show_message: ['message'],
  propose_edit: ['path'],
  save_file: ['path'],
  format_document: ['path'],
  rename_symbol: ['newName'],
  apply_code_action: ['title'],
  run_task: ['name'],
  run_terminal_command: ['command', 'input'],
  set_breakpoints: ['path'],
  start_debugging: ['configuration'],
  debug_step: ['action'],
  get_debug_state: ['sessionId'],
  debug_evaluate: ['expression'],
  trace_run: ['configuration'],
};

/** What a call is about, on one line: for a tool of the editor its telling argument, for others the first required short text. */
export function aboutCall(tool: ModelTool | undefined, args: JsonObject): string | undefined {
  if (tool === undefined || tool.isOwn === true) {
    return undefined;
  }
  const texts =
    tool.server === editorServerName
      ? (Object.hasOwn(editorArguments, tool.tool) ? (editorArguments[tool.tool] ?? []) : []).map((name) =>
          textAt(args, name)?.slice(0, maxAboutChars),
        )
      : requiredNames(tool.inputSchema).map((name) => shortText(textAt(args, name)));
  const found = texts.find((text) => text !== undefined);
  return found === undefined ? manyFiles(tool, args) : revealInvisible(found.replace(/\s+/g, ' '));
}

function requiredNames({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function textAt(args: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function shortText(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= maxShortChars && !/[\r\n]/.test(text) ? text : undefined;
}

/** The files of propose_edits: the one that there is, or the first with the number of the others. */
function manyFiles(tool: ModelTool, { files }: JsonObject): string | undefined {
  if (tool.server !== editorServerName || tool.tool !== 'propose_edits' || !Array.isArray(files)) {
    return undefined;
  }
  const paths = files.flatMap((file) => (isJsonObject(file) && typeof file['path'] === 'string' ? [file['path']] : []));
  const [first, ...others] = paths;
  return first === undefined
    ? undefined
    : revealInvisible(`${first.slice(0, maxAboutChars)}${others.length === 0 ? '' : ` +${others.length}`}`);
}

type Facts = (answer: JsonObject) => readonly CallFact[];

/** What to tell of the answers of the editor's tools. */
const editorFacts: Readonly<Record<string, Facts>> = {
  get_diagnostics: problems,
  read_file: ({ totalLines }) => (typeof totalLines === 'number' ? [{ kind: 'count', of: 'lines', count: totalLines }] : []),
  get_document_symbols: counting('symbols', 'symbols'),
  search_symbols: counting('symbols', 'symbols'),
  go_to_definition: counting('locations', 'places'),
  find_references: counting('locations', 'places'),
  get_call_hierarchy: counting('calls', 'calls'),
  list_code_actions: counting('actions', 'actions'),
  list_directory: counting('entries', 'entries'),
  find_files: counting('files', 'files'),
  search_text: counting('matches', 'matches'),
  get_terminal_output: counting('commands', 'commands'),
  list_tasks: counting('tasks', 'tasks'),
  list_open_editors: counting('editors', 'editors'),
  list_workspace_folders: counting('folders', 'folders'),
  get_git_changes: counting('changes', 'changes'),
  get_test_results: testCounts,
  run_tests: testCounts,
  run_task: exitCode,
  run_terminal_command: exitCode,
  propose_edit: review,
  propose_edits: reviews,
  rename_symbol: review,
  format_document: review,
  apply_code_action: review,
};

/** What came of a call of the editor's tools, by its structured answer. */
export function factsOf(tool: string, answer: JsonObject): readonly CallFact[] {
  return Object.hasOwn(editorFacts, tool) ? (editorFacts[tool]?.(answer) ?? []) : [];
}

function counting(member: string, of: Extract<CallFact, { kind: 'count' }>['of']): Facts {
  return ({ [member]: list }) => (Array.isArray(list) ? [{ kind: 'count', of, count: list.length }] : []);
}

/** Errors and warnings; all problems where the answer is only a page of them. */
function problems({ diagnostics, total }: JsonObject): readonly CallFact[] {
  if (!Array.isArray(diagnostics)) {
    return [];
  }
  const count = (degree: string): number =>
    diagnostics.filter((each: JsonValue) => isJsonObject(each) && each['severity'] === degree).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const isPage = typeof total === 'number' && total > diagnostics.length;
  if (isPage || (errors === 0 && warnings === 0)) {
    return [{ kind: 'count', of: 'problems', count: isPage ? total : diagnostics.length }];
  }
  return [
    ...(errors > 0 ? [{ kind: 'count', of: 'errors', count: errors } as const] : []),
    ...(warnings > 0 ? [{ kind: 'count', of: 'warnings', count: warnings } as const] : []),
  ];
}

function testCounts({ run }: JsonObject): readonly CallFact[] {
  const counts = run !== undefined && isJsonObject(run) ? run['counts'] : undefined;
  if (counts === undefined || !isJsonObject(counts)) {
    return [];
  }
  const { failed, passed } = counts;
  return [
    ...(typeof failed === 'number' && failed > 0 ? [{ kind: 'count', of: 'failed', count: failed } as const] : []),
    ...(typeof passed === 'number' ? [{ kind: 'count', of: 'passed', count: passed } as const] : []),
  ];
}

function exitCode({ exitCode: code }: JsonObject): readonly CallFact[] {
  return typeof code === 'number' ? [{ kind: 'exitCode', code }] : [];
}

function review({ outcome }: JsonObject): readonly CallFact[] {
  return outcome === 'accepted' || outcome === 'partlyAccepted' || outcome === 'rejected' ? [{ kind: 'review', outcome }] : [];
}

/** Several files have one outcome each; only an equal one is that of all. */
function reviews({ files }: JsonObject): readonly CallFact[] {
  const [first, ...others] = Array.isArray(files) ? files.filter(isJsonObject).flatMap(review) : [];
  if (first === undefined || first.kind !== 'review') {
    return [];
  }
  const isCommon = others.every((fact) => fact.kind === 'review' && fact.outcome === first.outcome);
  return [isCommon ? first : { kind: 'review', outcome: 'partlyAccepted' }];
}
