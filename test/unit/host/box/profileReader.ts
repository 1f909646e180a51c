/** Reads profiles of macOS's sandbox as far as Duplex writes them, and says what they allow: of two rules the later one counts. */

type Term = string | { readonly text: string } | readonly Term[];

/** What a program in the box would do. */
export interface Act {
  readonly operation: string;
  readonly path?: string;
  readonly remote?: string;
  readonly socket?: string;
  readonly name?: string;
}

export class Profile {
  readonly rules: readonly (readonly Term[])[];

  constructor(source: string) {
    const terms = parse(source);
    this.rules = terms.filter((term): term is readonly Term[] => Array.isArray(term));
    if (this.rules.length !== terms.length) {
      throw new Error(`something stands outside of the rules: ${JSON.stringify(terms)}`);
    }
  }

  allows(act: Act): boolean {
    let isAllowed = false;
    for (const [word, ...rest] of this.rules) {
      if (word !== 'allow' && word !== 'deny') {
        continue;
      }
      const operations = rest.filter((term) => typeof term === 'string');
      const filters = rest.filter((term): term is readonly Term[] => Array.isArray(term));
      const isMeant = operations.some((each) => each === 'default' || each === act.operation || isWide(each, act.operation));
      if (isMeant && (filters.length === 0 || filters.some((filter) => isMet(filter, act)))) {
        isAllowed = word === 'allow';
      }
    }
    return isAllowed;
  }
}

function isWide(operation: string, one: string): boolean {
  return operation.endsWith('*') && one.startsWith(operation.slice(0, -1));
}

function isMet([kind, value, more]: readonly Term[], act: Act): boolean {
  const text = typeof value === 'object' && 'text' in value ? value.text : undefined;
  switch (kind) {
    case 'literal':
      return act.path === text || act.socket === text;
    case 'subpath':
      return [act.path, act.socket].some((each) => each === text || each?.startsWith(`${text}/`) === true);
    case 'remote':
    case 'local':
      return value === 'ip'
        ? act.remote === (more as { readonly text: string }).text
        : act.socket !== undefined && isMet(more as Term[], act);
    case 'global-name':
    case 'sysctl-name':
      return act.name === text;
    case 'sysctl-name-prefix':
      return act.name?.startsWith(text ?? '?') === true;
    case 'target':
    case 'socket-domain':
      return false;
    case undefined:
    default:
      throw new Error(`a filter that nobody knows: ${JSON.stringify(kind)}`);
  }
}

function parse(source: string): readonly Term[] {
  const tokens = [...source.matchAll(/\s+|\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+/gsy)];
  if (tokens.reduce((length, [all]) => length + all.length, 0) !== source.length) {
    throw new Error('this is no profile');
  }
  const stack: Term[][] = [[]];
  for (const [all, text] of tokens) {
    if (all === '(') {
      stack.push([]);
    } else if (all === ')') {
      const done = stack.pop() ?? [];
      stack.at(-1)?.push(done);
    } else if (text !== undefined) {
      stack.at(-1)?.push({ text: text.replace(/\\(.)/gs, '$1') });
    } else if (all.trim() !== '') {
      stack.at(-1)?.push(all);
    }
  }
  const [terms] = stack;
  if (stack.length !== 1 || terms === undefined) {
    throw new Error('the brackets do not match');
  }
  return terms;
}
