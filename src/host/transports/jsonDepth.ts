/** Level by level and without recursion: the point is values that recursion does not survive. */
export function depthExceeds(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) {
      return true;
    }
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each === 'object' && each !== null) {
        for (const member of Object.values(each)) {
          if (typeof member === 'object' && member !== null) {
            next.push(member);
          }
        }
      }
    }
    level = next;
  }
  return false;
}
