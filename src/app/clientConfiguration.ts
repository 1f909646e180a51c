import type { ServerJoin } from './serverJoin.ts';

/** `Copy Client Configuration…` */
export async function copyClientConfiguration(_server: ServerJoin): Promise<void> {
  await Promise.resolve();
}
