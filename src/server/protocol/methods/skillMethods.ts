import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import type { Catalog, Skill } from '../../offer/catalog/catalog.ts';
import { rpcCode, RpcError } from '../rpc/rpc.ts';
import { cutPage, skillsSeenBy } from './lists.ts';
import type { Method } from './methodDispatch.ts';
import { tooLong } from './resourceMethods.ts';

/**
 * The methods of the skills extension, which only the revision without sessions has; there are none without skills. The files
 * themselves are read as resources.
 */
export function createSkillMethods(catalog: Catalog): ReadonlyMap<string, Method> {
  if (catalog.skills === undefined) {
    return new Map();
  }
  return new Map<string, Method>([
    [
      'skills/list',
      async ({ cursor }, request) => {
        const { page, nextCursor } = cutPage(skillsSeenBy(request, catalog), cursor, 'skills/list');
        const skills = await Promise.all(page.map(entryOf));
        return JSON.stringify({ skills, ...(nextCursor !== undefined && { nextCursor }) });
      },
    ],
    [
      'skills/get',
      async ({ uri }, request) => {
        const skill = skillsSeenBy(request, catalog).find((each) => each.uri === uri);
        if (skill === undefined) {
          throw noSkill(uri);
        }
        return JSON.stringify({ skill: await entryOf(skill) });
      },
    ],
  ]);
}

/** What a client needs to ask its person about a skill, and to verify the file that it reads later. */
async function entryOf({ uri, name, description, read }: Skill): Promise<JsonObject> {
  const bytes = Buffer.from(await read());
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { uri, frontmatter: { name, description }, resources: [{ uri, digest, size: bytes.length }] };
}

function noSkill(uri: unknown): RpcError {
  if (typeof uri !== 'string') {
    return new RpcError(rpcCode.invalidParams, 'uri must be a string', { parameter: 'uri', reason: 'expected a string' });
  }
  if (uri.length > maxPathLength) {
    return new RpcError(rpcCode.invalidParams, 'uri is too long', { parameter: 'uri', reason: tooLong });
  }
  return new RpcError(rpcCode.invalidParams, 'There is no such skill: skills/list has the URI of each', { uri });
}
