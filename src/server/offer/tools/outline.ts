interface Node<T> {
  readonly children: readonly T[];
}

interface Entry<T> {
  readonly node: T;
  /** The depth of the node; roots have 0. */
  readonly level: number;
  /** The position among all entries. */
  readonly index: number;
}

/** Lists the nodes of a tree down to a depth, each before its children, and counts those that lie deeper. */
export function flatten<T extends Node<T>>(roots: readonly T[], depth: number): { readonly entries: Entry<T>[]; readonly deeper: number } {
  const entries: Entry<T>[] = [];
  let deeper = 0;
  const walk = (nodes: readonly T[], level: number): void => {
    for (const node of nodes) {
      if (level < depth) {
        entries.push({ node, level, index: entries.length });
      } else {
        deeper += 1;
      }
      walk(node.children, level + 1);
    }
  };
  walk(roots, 0);
  return { entries, deeper };
}

/** Returns the entries that enclose the one at this index, the outermost first. */
export function pathTo<T>(entries: readonly Entry<T>[], index: number): Entry<T>[] {
  const path: Entry<T>[] = [];
  let { level } = entries[index] ?? { level: 0 };
  for (let at = index - 1; level > 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined) {
      break;
    }
    if (entry.level < level) {
      path.unshift(entry);
      level = entry.level;
    }
  }
  return path;
}

/** Rebuilds the tree from a list of entries. */
export function nest<T extends Node<T>>(entries: readonly Entry<T>[]): T[] {
  const roots: T[] = [];
  const open: T[][] = [roots];
  for (const { node, level } of entries) {
    const children: T[] = [];
    open[level]?.push({ ...node, children });
    open.length = level + 1;
    open.push(children);
  }
  return roots;
}

/** Reduces a tree to at most `most` nodes by leaving out its deepest levels. */
export function cutTree<T extends { readonly children: readonly T[] }>(
  roots: readonly T[],
  most: number,
): { roots: readonly T[]; left: number } {
  const counts: number[] = [];
  for (let level: readonly T[] = roots; level.length > 0; level = level.flatMap(({ children }) => children)) {
    counts.push(level.length);
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= most) {
    return { roots, left: 0 };
  }
  let depth = 0;
  let kept = 0;
  while (depth < counts.length && kept + (counts[depth] ?? 0) <= most) {
    kept += counts[depth] ?? 0;
    depth += 1;
  }
  // If not even the first level fits, its beginning is better than nothing.
  return depth === 0
    ? { roots: roots.slice(0, most).map(withoutChildren), left: total - most }
    : { roots: toDepth(roots, depth), left: total - kept };
}

function toDepth<T extends { readonly children: readonly T[] }>(nodes: readonly T[], depth: number): T[] {
  return nodes.map((node) => (depth === 1 ? withoutChildren(node) : { ...node, children: toDepth(node.children, depth - 1) }));
}

function withoutChildren<T extends { readonly children: readonly T[] }>(node: T): T {
  return { ...node, children: [] };
}
