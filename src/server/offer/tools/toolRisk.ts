import type { CallToolQuestion } from '../../../contract/questions/toolQuestions.ts';

const changesEditor: ReadonlySet<string> = new Set([
  'propose_edit',
  'propose_edits',
  'save_file',
  'format_document',
  'rename_symbol',
  'apply_code_action',
]);
const runsCode: ReadonlySet<string> = new Set([
  'run_tests',
  'run_task',
  'run_terminal_command',
  'set_breakpoints',
  'start_debugging',
  'debug_step',
  'debug_evaluate',
  'trace_run',
]);

/** Returns what a tool can do, by its name alone, so that the tools need not be loaded. A test compares the names with the tools. */
export function toolRisk(tool: string): CallToolQuestion['risk'] {
  if (runsCode.has(tool)) {
    return 'runsCode';
  }
  return changesEditor.has(tool) ? 'changesEditor' : 'readsEditor';
}

/**
 * The tools that the chat may use after one question for all of them. Terminals and tools that show something to the person are not
 * among them: each of those asks by itself, and so does every tool that is not listed here.
 */
export const onlyLooking: readonly string[] = [
  'list_open_editors',
  'get_selection',
  'get_diagnostics',
  'read_file',
  'read_symbol',
  'list_directory',
  'list_workspace_folders',
  'find_files',
  'search_text',
  'get_document_symbols',
  'get_syntax_tree',
  'search_symbols',
  'go_to_definition',
  'find_references',
  'get_hover',
  'get_call_hierarchy',
  'list_code_actions',
  'get_test_results',
  'list_tasks',
  'get_git_changes',
];

/** Whether the tool itself asks the person about exactly what it would do, or has its change reviewed. Then nobody else asks. */
export function asksItself(tool: string): boolean {
  return toolRisk(tool) !== 'readsEditor';
}
