// Loaded when a workspace has skills, with the parser that it needs.
import { type Document, isAlias, isMap, isNode, isPair, isScalar, parseAllDocuments, visit } from 'yaml';

/** What a skill says of itself that counts here. Nothing else in its head does: no tool is allowed by it, and no hook is run. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

export type ReadHead = { readonly kind: 'read'; readonly head: SkillHead } | { readonly kind: 'refused'; readonly reason: string };

/** The most characters of the head of a skill's file; a longer head is refused. */
const maxHeadLength = 16_384;
/** The deepest nesting of a head; a deeper one is refused. */
const maxLevels = 8;
/** The most opening brackets in a head: the parser takes long for what is nested without end. */
const maxBrackets = 100;
/** The most characters of the name of a skill; a longer one is refused. */
const maxName = 64;
/** The most characters of the description of a skill; a longer one is refused. */
const maxDescription = 1_024;
const nameRule = /^[\da-z]+(?:-[\da-z]+)*$/;
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads the head of a `SKILL.md`: YAML between two lines of three dashes. What plain data has no need of is refused instead of
 * interpreted: anchors, aliases and merges, tags, several documents, keys that are no texts or name parts of every object, and whatever
 * is longer or deeper than a head is.
 */
export function readSkillHead(markdown: string, folder: string): ReadHead {
  const yaml = headOf(markdown);
  if (yaml === undefined) {
    return refused(`it does not begin with a head of at most ${maxHeadLength} characters between two lines of three dashes`);
  }
  if ((yaml.match(/[[{]/g) ?? []).length > maxBrackets || /^\s*(?:[-?]\s+){8}/m.test(yaml)) {
    return refused('its head is nested too deeply'); // the parser takes long for what has no bottom
  }
  const documents = parseAllDocuments(yaml, { version: '1.2', schema: 'core', merge: false, uniqueKeys: true, logLevel: 'silent' });
  const [document] = documents as readonly Document.Parsed[];
  if (document === undefined || documents.length !== 1 || document.errors.length > 0 || !isMap(document.contents)) {
    return refused('its head is not YAML with names and values');
  }
  let problem = document.warnings.length > 0 ? 'its head has a tag that is not known' : undefined;
  visit(document, (_key, node, path) => {
    if (isAlias(node) || (isNode(node) && ((!isAlias(node) && node.anchor !== undefined) || node.tag?.startsWith('!') === true))) {
      problem ??= 'its head has an anchor, an alias or a tag';
    } else if (isPair(node) && !(isScalar(node.key) && typeof node.key.value === 'string' && !forbiddenKeys.has(node.key.value))) {
      problem ??= 'a name in its head is no plain text, or is one that stands for something else';
    } else if (path.length > 2 * maxLevels) {
      problem ??= 'its head is nested too deeply';
    }
    return problem === undefined ? undefined : visit.BREAK;
  });
  return problem === undefined ? checked(document.contents.get('name'), document.contents.get('description'), folder) : refused(problem);
}

function checked(name: unknown, description: unknown, folder: string): ReadHead {
  if (typeof name !== 'string' || name.length > maxName || !nameRule.test(name) || name !== folder) {
    return refused('its name is not that of its folder, in small letters, digits and single hyphens');
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > maxDescription) {
    return refused(`its description is no text of at most ${maxDescription} characters`);
  }
  return { kind: 'read', head: { name, description } };
}

function headOf(markdown: string): string | undefined {
  const text = markdown
    .slice(0, maxHeadLength + 16)
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  const end = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1;
  const isClosed = end >= 0 && /^[\t ]*(?:\n|$)/.test(text.slice(end + 4));
  return isClosed && end <= maxHeadLength ? text.slice(4, end + 1) : undefined;
}

function refused(reason: string): ReadHead {
  return { kind: 'refused', reason };
}
