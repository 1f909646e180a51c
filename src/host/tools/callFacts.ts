import { lstatSync } from 'node:fs';
import { sep } from 'node:path';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CallFacts, CallFolder } from '../../consent/callRules.ts';
import { isOnAnotherMachine } from '../../platform/paths/pathReach.ts';
import { RealPaths } from '../../platform/paths/realPath.ts';
import { hasSensitiveName, leadsThroughSensitiveFolder } from '../../secrets/secretNames.ts';

/** The most characters of a path; a longer one is asked about: looking at each folder of it takes time. */
const maxPathLength = 1_000;
/** The most segments of a path; one with more is asked about. */
const maxFolders = 64;

/**
 * What rules look at in a call. In which folders it stays is told only of a tool that runs on this machine. The disk is looked at
 * now and nothing of that is kept.
 */
export function callFacts(args: JsonObject, inputSchema: JsonObject, runsHere: boolean): CallFacts {
  const path = runsHere ? onlyPathIn(args, inputSchema) : undefined;
  return { arguments: canonicalJson(args), folders: path === undefined ? [] : foldersAround(path) };
}

/**
 * The argument `path`, when it is the only path of the call as far as that can be told: every argument is a parameter of the tool, none
 * has anything inside that could hold another path, and none has the name or the look of one.
 */
function onlyPathIn(args: JsonObject, { type, properties }: JsonObject): string | undefined {
  if (type !== 'object' || !isJsonObject(properties) || !Object.keys(args).every((name) => Object.hasOwn(properties, name))) {
    return undefined;
  }
  const declared = Object.hasOwn(properties, 'path') ? properties['path'] : undefined;
  const { path, ...others } = args;
  const isFree = Object.entries(others).every(([name, value]) => !namesPath(name) && isScalar(value) && !looksLikePath(value));
  return isJsonObject(declared) && declared['type'] === 'string' && typeof path === 'string' && isFree ? path : undefined;
}

const pathWords =
  /^(?:paths?|file(?:s|names?|paths?)?|dirs?|dirname|director(?:y|ies)|folders?|roots?|base|cwd|sources?|src|dest(?:inations?)?|dst|targets?|from|to|in(?:put)?|out(?:put)?|ur[il]s?|locations?|globs?|links?)$/;

/** Whether the name of a parameter says that it is a path: `destination`, `outputFile`, `Path`. */
function namesPath(name: string): boolean {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return words.some((word) => pathWords.test(word)) || pathWords.test(words.join(''));
}

function isScalar(value: JsonValue | undefined): value is null | boolean | number | string {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a value could be a path. Text of several lines is content. */
function looksLikePath(value: null | boolean | number | string): boolean {
  const text = typeof value === 'string' ? value.trim() : '';
  return !text.includes('\n') && (/[/\\]|^~|^\.{1,2}$|^[a-z]:|%(?:2e|2f|5c|7e)|\0/i.test(text.normalize('NFKC')) || hasSensitiveName(text));
}

/**
 * The folders above a file that lead to it without a link, the nearest first. It is empty for anything but a plain file, there or not:
 * in a folder there may be files that no rule covers.
 */
function foldersAround(path: string): readonly CallFolder[] {
  const segments = segmentsOf(path);
  const realPaths = new RealPaths();
  const folders: CallFolder[] = [];
  // A folder has all that the folders in it have below them: after the first that does not fit, none does.
  for (let depth = (segments?.length ?? 0) - 1; segments !== undefined && depth > 1; depth -= 1) {
    const written = segments.slice(0, depth).join(sep);
    const below = segments.slice(depth).join(sep);
    const real = realPaths.of(written);
    if (real === undefined || !isOpenFolder(written) || !isOpenFolder(real)) {
      break;
    }
    const leadsThere = (spelling: string): boolean =>
      spelling.split(sep).every(isOpenName) && realPaths.of(`${written}${sep}${spelling}`) === `${real}${sep}${spelling}`;
    if (!spellingsOf(below).every(leadsThere)) {
      break;
    }
    folders.push({ written, real });
  }
  return folders.length > 0 && isPlainFile(path) ? folders : [];
}

/** Splits an absolute path of this machine that is written in the one plain way; undefined for any other text. */
function segmentsOf(path: string): readonly string[] | undefined {
  const written = sep === '\\' ? path.replaceAll('/', '\\') : path;
  if (written.length > maxPathLength || isOnAnotherMachine(written, []) || !(sep === '\\' ? /^[a-z]:\\/i : /^\//).test(written)) {
    return undefined;
  }
  const segments = written.split(sep);
  const [, ...names] = segments;
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..' && revealInvisible(name) === name);
  // What these hold depends on the process that looks.
  const isOfProcess = sep === '/' && (names[0] === 'proc' || names[0] === 'dev');
  return isPlain && !isOfProcess && segments.length <= maxFolders ? segments : undefined;
}

/** A program may read a text in any of its spellings: `．．` is `..` in one of them. */
function spellingsOf(text: string): readonly string[] {
  return [...new Set([text, ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => text.normalize(form))])];
}

/** Names of letters, digits and few signs: none that a program could take for an option, a pattern, an encoding or two paths. */
const plainName = /^[\p{L}\p{N}_@+=][\p{L}\p{M}\p{N}_@+=.-]*$/u;
/** Files in which servers are configured, and in which editors and agents look for what they run; those with a dot before are hidden. */
const configurationName = /^(?:mcp|settings|devcontainer|mcp[-_]config|mcp[-_]settings|claude_desktop_config)\.json$|\.code-workspace$/i;

/** Whether a rule may cover files of this name, or what is in a folder of this name. Hidden ones are never covered. */
function isOpenName(name: string): boolean {
  return plainName.test(name) && !name.endsWith('.') && !configurationName.test(name) && !hasSensitiveName(name);
}

/** Folders that hold secrets, a repository's own data, or the configuration of editors and agents. */
const closedFolder = /^\.(?:git|vscode.*|cursor|claude|windsurf|codeium|copilot|devcontainer|duplex)$|^globalStorage$/i;

function isOpenFolder(folder: string): boolean {
  return !leadsThroughSensitiveFolder(folder) && !folder.split(sep).some((name) => closedFolder.test(name));
}

/** Whether there is a file of one name only, or nothing yet. */
function isPlainFile(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined || (stats.isFile() && stats.nlink === 1);
  } catch {
    return false;
  }
}
