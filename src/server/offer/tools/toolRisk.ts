import type { CallToolQuestion } from '../../../contract/questions.ts';

const changesEditor: ReadonlySet<string> = new Set([
  'propose_edit',
  'propose_edits',
  'save_file',
  'format_document',
  'rename_symbol',
  'apply_code_action',
]);
const runsCode: ReadonlySet<string> = new Set(['run_tests', 'run_task', 'run_terminal_command']);

/** By name, so that the tools themselves need not be loaded to know; a test compares the names with the tools. */
export function toolRisk(tool: string): CallToolQuestion['risk'] {
  if (runsCode.has(tool)) {
    return 'runsCode';
  }
  return changesEditor.has(tool) ? 'changesEditor' : 'readsEditor';
}

/** Whether the tool, or the review of the change that it proposes, asks about exactly what would be done: then nobody else asks. */
export function asksItself(tool: string): boolean {
  return toolRisk(tool) !== 'readsEditor';
}
