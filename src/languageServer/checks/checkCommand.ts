import { getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { type DocumentKind, isOwnSetting, propertyOf, rangeOf, stringOf } from '../documents.ts';
import type { DocumentProblem } from '../problem.ts';

/** A package that a runner fetches before it starts it. */
export interface FetchedPackage {
  readonly runner: 'npx' | 'uvx';
  readonly name: string;
  /** What follows the name: a version, a tag or a range; empty when nothing does. */
  readonly version: string;
  /** The argument that names it, counted in `args`. */
  readonly index: number;
  /** The text before the name in that argument: `--package=`. */
  readonly prefix: string;
}

const programOf = (command: string): string => /([^\\/]*?)(?:\.(?:cmd|exe|bat|ps1))?$/i.exec(command)?.[1]?.toLowerCase() ?? '';

/** Whether a definition only asks the shell of Windows to start a program: `cmd /c npx …`. */
export function isNeedlessShell(command: string, args: readonly string[]): boolean {
  return programOf(command) === 'cmd' && /^\/c$/i.test(args[0] ?? '') && /^(?:npx|uvx|node|npm|bunx|docker)$/i.test(args[1] ?? '');
}

/** Checks what a local server would start: packages without a version, and a shell that nobody needs. */
export function checkCommand(definition: Node, kind: DocumentKind): readonly DocumentProblem[] {
  const command = stringOf(definition, 'command');
  const { nodes, texts } = argumentsOf(definition);
  if (command === undefined) {
    return [];
  }
  const isShell = isNeedlessShell(command.text, texts);
  const shell: readonly DocumentProblem[] = isShell
    ? [
        {
          ...rangeOf(command.node),
          severity: isOwnSetting(kind) ? 'warning' : 'hint',
          code: 'needlessShell',
          args: { program: texts[1] ?? '', shell: `${command.text} ${texts[0] ?? ''}` },
        },
      ]
    : [];
  const fetched = fetchedPackage(command.text, texts);
  const node = fetched === undefined ? undefined : nodes[fetched.index];
  if (fetched === undefined || node === undefined || isExact(fetched)) {
    return shell;
  }
  return [...shell, { ...rangeOf(node), severity: 'hint', code: 'unpinnedPackage', args: { name: fetched.name } }];
}

/** The arguments of a definition with their nodes. What is no text is an empty one, so that both lists have the same places. */
export function argumentsOf(definition: Node): { readonly nodes: readonly Node[]; readonly texts: readonly string[] } {
  const node = propertyOf(definition, 'args')?.valueNode;
  const nodes = node?.type === 'array' ? (node.children ?? []) : [];
  return { nodes, texts: nodes.map((each) => (typeof each.value === 'string' ? (getNodeValue(each) as string) : '')) };
}

const npmSpec = /^((?:@[a-z\d~-][\w.~-]{0,100}\/)?[a-z\d~-][\w.~-]{0,100})(?:@([^\s/]{0,100}))?$/i;
const pythonSpec = /^([a-z\d][\w.-]{0,100})(?:\[[\w,.-]{0,100}\])?(?:(?:==|@)([^\s/]{1,100})|([<>~!=][^\s/]{1,100}))?$/i;
const flagsOfNpx = /^(?:-y|--yes|-q|--quiet|--no|--prefer-(?:online|offline)|--offline|--ignore-existing)$/;
const valuesOfUvx =
  /^(?:--with|--with-editable|--python|-p|--index|--index-url|-i|--extra-index-url|--cache-dir|--directory|--refresh-package)$/;

/** The package that would be fetched, when the command is such a runner and the package comes from a registry. */
export function fetchedPackage(command: string, args: readonly string[]): FetchedPackage | undefined {
  if (isNeedlessShell(command, args)) {
    const inner = fetchedPackage(args[1] ?? '', args.slice(2));
    return inner && { ...inner, index: inner.index + 2 };
  }
  const runner = programOf(command);
  return runner === 'npx' ? npxPackage(args) : runner === 'uvx' ? uvxPackage(args) : undefined;
}

function npxPackage(args: readonly string[]): FetchedPackage | undefined {
  for (const [index, arg] of args.entries()) {
    const [, joined = ''] = /^((?:--package|-p)=)/.exec(arg) ?? [];
    if (joined !== '') {
      return npmPackage(arg.slice(joined.length), index, joined);
    }
    if (arg === '-p' || arg === '--package') {
      return npmPackage(args[index + 1] ?? '', index + 1, '');
    }
    if (!arg.startsWith('-')) {
      return npmPackage(arg, index, '');
    }
    if (!flagsOfNpx.test(arg)) {
      return undefined; // an option that may have a value, which would be taken for the package
    }
  }
  return undefined;
}

function npmPackage(spec: string, index: number, prefix: string): FetchedPackage | undefined {
  const [, name, version = ''] = npmSpec.exec(spec) ?? [];
  return name === undefined ? undefined : { runner: 'npx', name, version, index, prefix };
}

function uvxPackage(args: readonly string[]): FetchedPackage | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [, joined = ''] = /^(--from=)/.exec(arg) ?? [];
    if (joined !== '') {
      return pythonPackage(arg.slice(joined.length), index, joined);
    }
    if (arg === '--from') {
      return pythonPackage(args[index + 1] ?? '', index + 1, '');
    }
    if (!arg.startsWith('-')) {
      return pythonPackage(arg, index, '');
    }
    index += valuesOfUvx.test(arg) ? 1 : 0;
  }
  return undefined;
}

function pythonPackage(spec: string, index: number, prefix: string): FetchedPackage | undefined {
  const [, name, exact, range] = pythonSpec.exec(spec) ?? [];
  return name === undefined ? undefined : { runner: 'uvx', name, version: exact ?? range ?? '', index, prefix };
}

/** Whether the package is the same at every start. A tag such as `latest` and a range are not. A variable may be anything. */
function isExact({ version }: FetchedPackage): boolean {
  return version.includes('${') || /^v?\d+(?:\.\d+)+(?:[.+-]?[\w.+-]+)?$/.test(version);
}
