import type { ToolResultItem } from '../contract/chatState.ts';
import { resourceFile, type ResourceFile } from './resourceFile.ts';
import type { Translate } from './sentences/translate.ts';

/** More tabs than this at once are a mess. */
const maxOpened = 5;

/** A tool's result as the editor opens it. */
export interface OpenedResult {
  /** Pictures and sound that the editor has a viewer for. */
  readonly media: readonly Pick<ResourceFile, 'name' | 'shown'>[];
  /** Whether there is anything else, which is shown as text. */
  readonly hasText: boolean;
}

/** Pure. `name`: of the tool, as a file is called. */
export function resultMedia(name: string, items: readonly ToolResultItem[], t: Translate): OpenedResult {
  const files = items.map((item, index) => {
    if (item.kind !== 'image' && item.kind !== 'audio') {
      return undefined;
    }
    const uri = index === 0 ? name : `${name} ${index + 1}`;
    const file = resourceFile(encodeURIComponent(uri), [{ kind: 'blob', uri, mimeType: item.mimeType, data: item.data }], undefined, t);
    return file.viewer === 'media' ? file : undefined;
  });
  const media = files.filter((file) => file !== undefined);
  return { media: media.slice(0, maxOpened), hasText: media.length < items.length || media.length === 0 || media.length > maxOpened };
}
