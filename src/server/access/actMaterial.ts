import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ShownAct } from '../../contract/questions/clientQuestions.ts';
import type { ActRequest } from './actRequest.ts';

/**
 * What a permission for the session holds for. The name says what would be done, the material is all of it: a script that
 * keeps its name and changes its text is the same subject with another content, and is asked about with the difference.
 * Saving is one thing whatever the file.
 */
export function actMaterial({ tool, what }: ActRequest): { readonly name: readonly string[]; readonly material: JsonObject } {
  switch (what.kind) {
    case 'command':
      return { name: [what.commandLine], material: { tool, ...what } };
    case 'script':
    case 'task': {
      const { chain, ...rest } = what;
      const scripts = Object.fromEntries(chain.steps.map(({ name, text }) => [name, text]));
      const name = what.kind === 'task' ? what.name : what.commandLine;
      return { name: [name], material: { tool, ...rest, runs: scripts, unknown: [...chain.unknown] } };
    }
    case 'save':
      return { name: [], material: { tool, kind: what.kind } };
    case 'codeAction':
      return { name: [what.title], material: { tool, ...what } };
  }
}

/** What stands in a question beside the act. */
export function shownUnsaved({ unsaved = [] }: ActRequest): { readonly unsaved?: string[] } {
  return unsaved.length === 0 ? {} : { unsaved: unsaved.map(revealInvisible) };
}

/** As the person sees it: whole, with what is invisible made visible. */
export function shownAct(what: ActRequest['what']): ShownAct {
  return reveal(what) as ShownAct;
}

function reveal(value: unknown): unknown {
  if (typeof value === 'string') {
    return revealInvisible(value);
  }
  if (Array.isArray(value)) {
    return value.map(reveal);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member)]))
    : value;
}
