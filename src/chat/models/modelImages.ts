import { pictureSize, pictureType, type PictureSize, type PictureType } from '../../base/pictures.ts';
import { isPlainBase64 } from '../../base/visibleText.ts';
import type { DocumentBlock, ImageBlock, ModelMessage } from './modelProvider.ts';

/** The largest image, in characters of base64. */
const maxImageLength = 5_000_000;
/** The longest side of an image in pixels. */
const maxSide = 8_000;
/** How much of an image is looked at for its type and size, in characters of base64. */
const headLength = 256 * 1024;

export interface ReadImage {
  readonly mimeType: PictureType;
  /** Its size in pixels; undefined where its beginning does not say. */
  readonly size: PictureSize | undefined;
}

/**
 * The image in base64 as models take it, with the type that its bytes say. One of another type, or a larger one, would make the
 * request fail in which it is, and every later request of the conversation: then the result is undefined. It also is where a page
 * could not show the image, because an image that nobody can see is not sent.
 */
export function imageForModels({ mimeType, data }: { readonly mimeType: string; readonly data: string }): ReadImage | undefined {
  const isShown = /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType);
  return isShown && data.length <= maxImageLength && isPlainBase64(data) ? readImage(data) : undefined;
}

/** Reads an image as `imageForModels` does, where it is known to be plain base64. */
function readImage(data: string): ReadImage | undefined {
  const head = Buffer.from(data.slice(0, headLength), 'base64');
  const mimeType = pictureType(head);
  const size = pictureSize(head);
  return mimeType === undefined || longerSide(size) > maxSide ? undefined : { mimeType, size };
}

function longerSide(size: PictureSize | undefined): number {
  return size === undefined ? 0 : Math.max(size.width, size.height);
}

type Heavy = ImageBlock | DocumentBlock;

/** The most images of one request, and of one in which an image has a longer side than so many pixels. */
const most = { images: 100, withLarge: 20, largeSide: 2_000 };
/** The most characters of base64 in one request; Anthropic takes 32 MB in all. */
const maxData = 24_000_000;

/** What a request can have of the images and documents in its messages. */
export interface TakenImages {
  readonly typeOf: (image: ImageBlock) => PictureType | undefined;
  readonly hasRoomFor: (block: Heavy) => boolean;
}

/**
 * Says which images and documents a request can have: Anthropic refuses one as a whole for what is no image, for an image that is too
 * large and for too many, and then every later one of the conversation. The oldest go first.
 */
export function takenImages(messages: readonly ModelMessage[]): TakenImages {
  const newestFirst = messages.flatMap(heavyIn).reverse();
  const read = new Map(newestFirst.flatMap((each) => (each.type === 'image' ? [[each, readImage(each.data)] as const] : [])));
  const isLarge = (image: ImageBlock): boolean => longerSide(read.get(image)?.size) > most.largeSide;
  const images = newestFirst.filter((each): each is ImageBlock => each.type === 'image' && read.get(each) !== undefined);
  const newest = images.slice(0, most.withLarge);
  const kept = new Set<Heavy>(newest.some(isLarge) ? newest : images.filter((each, index) => index < most.images && !isLarge(each)));
  let data = 0;
  const room = new Set<Heavy>(
    newestFirst.filter((each) => {
      const isWanted = each.type === 'document' || kept.has(each);
      data += isWanted ? each.data.length : 0;
      return isWanted && data <= maxData;
    }),
  );
  return { typeOf: (image) => read.get(image)?.mimeType, hasRoomFor: (block) => room.has(block) };
}

/** What of a message would be sent: of a result that failed, Anthropic takes nothing but text. */
function heavyIn({ role, content }: ModelMessage): readonly Heavy[] {
  const sent = role === 'assistant' ? [] : content.filter((block) => block.type !== 'toolResult' || !block.isError);
  const parts: readonly { readonly type: string }[] = sent.flatMap((block) => ('content' in block ? [...block.content] : [block]));
  return parts.filter((part): part is Heavy => part.type === 'image' || part.type === 'document');
}
