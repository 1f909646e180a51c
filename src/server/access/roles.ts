import type { Role } from '../../contract/questions.ts';

const rank: Readonly<Record<Role, number>> = { reader: 0, editor: 1, runner: 2 };

export function isEnough(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}

export function higherOf(one: Role, other: Role): Role {
  return isEnough(one, other) ? one : other;
}
