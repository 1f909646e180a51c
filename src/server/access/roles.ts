import type { Role } from '../../contract/questions/role.ts';
import type { Credential } from '../seen/viewer.ts';

const rank: Readonly<Record<Role, number>> = { reader: 0, editor: 1, runner: 2 };

export function isEnough(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}

const allRoles: readonly Role[] = ['reader', 'editor', 'runner'];

/**
 * The roles a person can give. The window token is any program's of this user: without a session of its own there is nobody
 * whom a role above the least would be given to.
 */
export function rolesFor({ credentialKind, isStateless }: { credentialKind: Credential['kind']; isStateless: boolean }): readonly Role[] {
  return credentialKind === 'windowToken' && isStateless ? ['reader'] : allRoles;
}

export function higherOf(one: Role, other: Role): Role {
  return isEnough(one, other) ? one : other;
}
