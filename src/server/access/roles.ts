import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { Credential } from '../seen/viewer.ts';

/** All roles, lowest first: each includes those before it. Under the same names they are the scopes of OAuth. */
export const allRoles: readonly Role[] = ['reader', 'editor', 'runner'];

const rank: Readonly<Record<Role, number>> = { reader: 0, editor: 1, runner: 2 };

export function isEnough(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}

export function higherOf(one: Role, other: Role): Role {
  return isEnough(one, other) ? one : other;
}

/**
 * The roles a person can give to a client. Any program of this user can have the window token, so a request with it that
 * belongs to no session comes from nobody in particular, and nobody in particular gets no more than the lowest role.
 */
export function rolesFor({ credentialKind, isStateless }: { credentialKind: Credential['kind']; isStateless: boolean }): readonly Role[] {
  return credentialKind === 'windowToken' && isStateless ? ['reader'] : allRoles;
}

/** The roles among the words of an OAuth `scope` parameter. A client that asks for nothing asks for all of them. */
export function readScope(scope: string | undefined): readonly Role[] {
  const words = (scope ?? '').split(' ').filter((word) => word !== '');
  return words.length === 0 ? allRoles : allRoles.filter((role) => words.includes(role));
}

/** The highest of these roles and all that it includes. */
export function rolesUpTo(asked: readonly Role[]): readonly Role[] {
  return allRoles.slice(0, allRoles.findLastIndex((role) => asked.includes(role)) + 1);
}

/** The scopes that a client asked for, without those above the role that the person gave. */
export function grantedScopes(asked: readonly Role[], given: Role): readonly Role[] {
  const allowed = rolesUpTo([given]);
  const kept = asked.filter((role) => allowed.includes(role));
  return kept.length > 0 || asked.length === 0 ? kept : [given];
}
