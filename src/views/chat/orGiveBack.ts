/**
 * Says what a person wrote, and calls `giveBack` when that fails before it was taken; what was taken must not be said twice. The
 * failure is passed on.
 */
export async function orGiveBack(say: (onTaken: () => void) => Promise<void>, giveBack: () => void): Promise<void> {
  const words = { isTaken: false };
  try {
    await say(() => (words.isTaken = true));
  } catch (error) {
    if (!words.isTaken) {
      giveBack();
    }
    throw error;
  }
}
