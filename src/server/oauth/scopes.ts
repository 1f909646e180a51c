import type { Role } from '../../contract/questions/role.ts';

/** Lowest first: each role holds those before it. */
export const scopes: readonly Role[] = ['reader', 'editor', 'runner'];

/** What a client asked for: the scopes of ours among its words. Nothing asked for means everything on offer. */
export function readScope(scope: string | undefined): readonly Role[] {
  const words = (scope ?? '').split(' ').filter((word) => word !== '');
  return words.length === 0 ? scopes : scopes.filter((role) => words.includes(role));
}

/** A scope and those it holds. */
export function rolesUpTo(asked: readonly Role[]): readonly Role[] {
  return scopes.slice(0, scopes.findLastIndex((role) => asked.includes(role)) + 1);
}

/** What was asked for, cut down to the role the person gave. */
export function grantedScopes(asked: readonly Role[], given: Role): readonly Role[] {
  const allowed = rolesUpTo([given]);
  const kept = asked.filter((role) => allowed.includes(role));
  return kept.length > 0 || asked.length === 0 ? kept : [given];
}
