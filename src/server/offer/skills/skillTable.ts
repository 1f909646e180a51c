// skills/: what teaches an agent to do a whole job with these tools, in few calls and with few decisions of the person. This file
// lists them; their texts are loaded when somebody wants one.
import type { Skill } from '../catalog/catalog.ts';
import type { SkillName } from './skillTexts.ts';

/** All skills. Their names are published: additive only. */
export const skills: readonly Skill[] = [
  skill(
    'fix-problems',
    'Fix what is broken in the workspace of VS Code with one review and one test run. Use it for errors, warnings, a build that fails and tests that fail.',
    ['get_diagnostics', 'get_test_results', 'read_symbol', 'read_file', 'find_references', 'propose_edits', 'run_tests'],
  ),
  skill(
    'review-changes',
    'Review what changed in Git before it is committed, with callers, problems and tests in view. Use it when somebody asks what a change breaks or whether it is ready.',
    [
      'get_git_changes',
      'list_open_editors',
      'get_diagnostics',
      'find_references',
      'search_text',
      'read_symbol',
      'get_test_results',
      'open_file',
    ],
  ),
  skill(
    'debug',
    'Find out why a program computes something wrong, hangs or crashes, by watching it run in the debugger of VS Code. Use it when reading the code does not explain what happens.',
    ['list_debug', 'trace_run', 'set_breakpoints', 'start_debugging', 'debug_step', 'get_debug_state', 'debug_evaluate'],
  ),
  skill(
    'test-first',
    'Write a test that fails for the right reason, then the code that makes it pass. Use it for a bug that must not come back and for new behaviour.',
    ['get_test_results', 'find_files', 'read_file', 'read_symbol', 'propose_edits', 'run_tests'],
  ),
];

function skill(name: SkillName, description: string, tools: readonly string[]): Skill {
  return {
    name,
    description,
    uri: `skill://duplex/${name}/SKILL.md`,
    tools,
    read: async () => {
      const { skillTexts } = await import('./skillTexts.ts');
      return `---\nname: ${name}\ndescription: ${description}\n---\n\n${skillTexts[name]}`;
    },
  };
}
