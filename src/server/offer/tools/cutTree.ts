/** A tree with so many nodes at most: the deepest levels are left out first. */
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
  // Not even the first level fits: its beginning is better than nothing.
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
