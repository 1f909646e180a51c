/**
 * Hands on what a command writes, piece by piece. The promise never rejects: when the terminal goes away meanwhile, what was read
 * stays.
 */
export async function readPieces(pieces: AsyncIterable<string>, onPiece: (piece: string) => void): Promise<void> {
  try {
    for await (const piece of pieces) {
      onPiece(piece);
    }
  } catch {
    // Nothing more to read.
  }
}
