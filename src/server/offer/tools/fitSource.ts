/** Beside the source in an answer: its description, and the sentences around it. */
const kept = 600;
const leastRoom = 100;

/**
 * An answer made of so much source that it fits, as structure and as text. A marker can be longer than the secret it stands for:
 * what does not fit is made again with less room.
 */
export async function fitSource<Answer extends object>(
  most: number,
  path: string,
  make: (room: number) => Promise<Answer>,
  toText: (answer: Answer) => string,
): Promise<Answer> {
  for (let room = Math.max(leastRoom, most - kept - 2 * path.length); ;) {
    const answer = await make(room);
    const length = Math.max(JSON.stringify(answer).length, toText(answer).length);
    if (length <= most || room === leastRoom) {
      return answer;
    }
    room = Math.max(leastRoom, Math.floor(((room * most) / length) * 0.9));
  }
}
