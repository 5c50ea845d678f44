/**
 * Ids of lines, written as ULIDs are: ten characters of time, sixteen that make it unique. The sixteen are the
 * recording's own salt and the line's number, so ids need no chance while recording, sort by time, and stay apart when
 * recordings are merged.
 */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLength = 10
const saltLength = 9
const seqLength = 7

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = (symbols[rest % 32] ?? '0') + text
  return text
}

/** The salt of a recording, from as many random bytes as one likes; nine are used. */
export const saltOf = (random: ArrayLike<number>): string =>
  Array.from({ length: saltLength }, (_, index) => symbols[(random[index] ?? 0) % 32]).join('')

/** The salt that a recording's ids were made with, from the id of its header. */
export const saltIn = (headerId: string): string =>
  headerId.slice(timeLength, timeLength + saltLength).padEnd(saltLength, '0')

/** Numbers that differ in their last two symbols only follow one another. */
const block = symbols.length ** 2

export function createLineIds(salt: string): (instant: number, seq: number) => string {
  let lastMs = -1
  let time = ''
  let lastBlock = -1
  let number = ''
  return (instant, seq) => {
    const ms = Math.max(0, Math.floor(instant))
    if (ms !== lastMs) {
      lastMs = ms
      time = base32(ms, timeLength)
    }
    const ofBlock = Math.floor(seq / block)
    if (ofBlock !== lastBlock) {
      lastBlock = ofBlock
      number = salt + base32(ofBlock, seqLength - 2)
    }
    return time + number + base32(seq, 2)
  }
}
