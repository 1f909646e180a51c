// Loaded when a server has skills: few have.
import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Page } from '../intake/listReading.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { Client } from '../shared/sdk.ts';
import type { SkillInfo } from '../shared/serverState.ts';

/** The most files of one skill, and the most bytes of all of them: the person is shown all of it before it goes to a model. */
export const skillLimits = { files: 50, bytes: 200_000, name: 64, description: 1_024 } as const;

/** One file of a skill that was read and, unless the server makes its files anew each time, checked against its digest. */
export interface ReadSkillFile {
  /** The path within the skill; its first file is `SKILL.md`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mimeType: string | undefined;
}

interface RequestOptions {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

const page = z.looseObject({ skills: z.array(z.unknown()), nextCursor: z.string().optional() });

export async function skillsPage(client: Client, cursor: string | undefined, options: RequestOptions): Promise<Page> {
  const params = cursor === undefined ? {} : { cursor };
  const { skills, nextCursor } = await client.request({ method: 'skills/list', params }, page, options);
  return { items: skills, nextCursor };
}

/** The usable entries of the list. Where one address stands for several skills, none of them counts. */
export function readSkills(raw: readonly JsonObject[]): readonly SkillInfo[] {
  const skills = raw.flatMap(toSkill);
  const counts = new Map<string, number>();
  raw.forEach(({ uri }) => typeof uri === 'string' && counts.set(uri, (counts.get(uri) ?? 0) + 1));
  return skills.filter(({ uri }) => counts.get(uri) === 1);
}

const nameRule = /^[\da-z]+(?:-[\da-z]+)*$/;
const manifest = '/SKILL.md';

/** Whatever else the head of the skill says, such as which tools it wants to be allowed, counts for nothing. */
function toSkill({ uri, frontmatter, resources }: JsonObject): SkillInfo[] {
  const { name, description } = isJsonObject(frontmatter) ? frontmatter : {};
  if (typeof uri !== 'string' || typeof name !== 'string' || typeof description !== 'string') {
    return [];
  }
  const root = uri.slice(0, -manifest.length);
  const isNamed = uri.endsWith(manifest) && root.endsWith(`/${name}`) && name.length <= skillLimits.name && nameRule.test(name);
  const digests = Array.isArray(resources) ? digestsOf(root, resources) : undefined;
  const isWhole = resources === 'dynamic' || digests !== undefined;
  return isNamed && isWhole && description !== '' && description.length <= skillLimits.description
    ? [{ uri, name, description, digests }]
    : [];
}

function digestsOf(root: string, resources: readonly unknown[]): Readonly<Record<string, string>> | undefined {
  const files = resources.slice(0, skillLimits.files + 1).map((each) => {
    const { uri, digest } = isJsonObject(each) ? each : {};
    return typeof uri === 'string' && typeof digest === 'string' && uri.startsWith(`${root}/`)
      ? ([uri.slice(root.length + 1), digest] as const)
      : undefined;
  });
  return files.length > skillLimits.files || files.includes(undefined)
    ? undefined
    : Object.fromEntries(files.filter((file) => file !== undefined));
}

/**
 * Asks the server for the skill as it is now, and reads all its files. The SDK checks the entry, the size and digest of each file, and
 * that the head of `SKILL.md` is the one of the entry. Of a skill whose files are made anew each time only `SKILL.md` is read: what
 * else there is nobody says.
 */
export async function readSkill(client: Client, uri: string, options: RequestOptions): Promise<readonly ReadSkillFile[]> {
  const { SkillsClient } = await import('@modelcontextprotocol/client/ext/skills');
  const skills = new SkillsClient(client);
  const { skill } = await skills.get(uri, options);
  const entries = skill.resources === 'dynamic' ? [] : skill.resources.filter((entry) => entry.uri !== skill.uri);
  const size = skill.resources === 'dynamic' ? 0 : skill.resources.reduce((sum, entry) => sum + entry.size, 0);
  if (entries.length >= skillLimits.files || size > skillLimits.bytes) {
    throw hostError('host.skillTooLarge', { files: skillLimits.files, limit: skillLimits.bytes / 1000 });
  }
  const root = skill.uri.slice(0, 1 - manifest.length);
  const files: ReadSkillFile[] = [];
  for (const ref of [skill.uri, ...entries.map((entry) => entry.uri)]) {
    // The SDK's own cache is not used: whoever loads a skill is shown what it is now.
    const { bytes, mimeType } = await skills.read(skill, ref, { ...options, cacheMode: 'bypass' });
    files.push({ path: ref.startsWith(root) ? ref.slice(root.length) : ref, bytes, mimeType });
  }
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > skillLimits.bytes) {
    throw hostError('host.skillTooLarge', { files: skillLimits.files, limit: skillLimits.bytes / 1000 });
  }
  return files;
}
