/** A note: what an operator wrote about one exchange. */

export interface ExchangeNote {
  readonly seq: number
  /** Absent where the note was taken away. */
  readonly note?: string
}

export const maxNoteChars = 2000

/** What is wrong with the text of a note; an empty one takes the note away. */
export const noteProblem = (text: string): string | undefined =>
  text.length > maxNoteChars
    ? `a note has at most ${maxNoteChars} characters, and this has ${text.length}`
    : undefined
