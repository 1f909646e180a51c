import type { JsonObject } from '../../base/json.ts';
import type { AppLook } from '../../contract/chat/appMessages.ts';

/** The most height that an app gets in the chat. */
export const maxShownHeight = 600;

/** What an app is told of colours and room, at first and when they change. */
export function lookContext({ theme, variables, width, height, timeZone, touch, hover }: AppLook): JsonObject {
  const tall = height === undefined ? { maxHeight: maxShownHeight } : { height };
  return { theme, styles: { variables }, containerDimensions: { width, ...tall }, timeZone, deviceCapabilities: { touch, hover } };
}
