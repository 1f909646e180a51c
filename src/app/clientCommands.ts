import type { ServerJoin } from './serverJoin.ts';

/** `Change Client Role…` */
export async function changeClientRole(_server: ServerJoin, _argument: unknown): Promise<void> {
  await Promise.resolve();
}

/** `Change Client Access…`: what is lifted of the files that are withheld. */
export async function changeClientAccess(_server: ServerJoin, _argument: unknown): Promise<void> {
  await Promise.resolve();
}
