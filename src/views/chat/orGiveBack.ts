/** Gives back what a person wrote, for whatever reason it was not taken; what was taken is not said twice. The failure is passed on. */
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
