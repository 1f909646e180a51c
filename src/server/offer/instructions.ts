/** For the model behind the client: what is here, and the rules that hold everywhere. */
export const instructions = [
  'Duplex is the VS Code window of the person you work for, live: open editors, selection, diagnostics, files, symbols, Git changes, terminals and test results. What it returns includes unsaved changes, which files on disk do not have.',
  'Paths are relative to the workspace with forward slashes; in a workspace of several folders the first segment names the folder (list_workspace_folders). Absolute paths inside the workspace and file: URIs are accepted too.',
  'Lines and characters count from 1; the end of a range is exclusive.',
  'To see: read_file, read_symbol, list_directory, search_text, find_files, get_diagnostics, get_document_symbols, go_to_definition, find_references, get_git_changes, get_test_results. After a change, get_diagnostics with waitMs waits until the language service has settled. An answer holds 25,000 characters, or as many as maxChars says (at most 200,000): pass nextCursor as cursor for the rest; note says why something is missing.',
  'To act: propose_edit shows the person a diff, which they accept, accept in part or reject; the answer holds the final text, so continue from that. Pass expectedVersion from read_file so that nothing is overwritten that changed since.',
  'Roles: a reader looks, an editor also changes files, a runner also runs tests, tasks and commands. A call above the role asks the person. Calls may answer "waiting for approval in VS Code": the question stays open, so repeat the identical call later instead of trying another way. "denied" is an answer, too: do not work around it.',
  'Resources are the same data to subscribe to. [redacted] stands for a secret that is not shown: never write it back into a file.',
].join('\n');
