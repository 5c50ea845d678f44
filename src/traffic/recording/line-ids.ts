/**
 * Line ids in ULID form: ten characters of time, sixteen that make it unique. Those are the recording's salt and the
 * sequence number, so ids need no random source while recording, sort by time, and stay unique when recordings are
 * merged.
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

/** Makes the salt of a recording from random bytes; the first nine are used. */
export const createSalt = (random: ArrayLike<number>): string =>
  Array.from({ length: saltLength }, (_, index) => symbols[(random[index] ?? 0) % 32]).join('')

/** The salt of a recording, from the id of its header. */
export const saltFromId = (headerId: string): string =>
  headerId.slice(timeLength, timeLength + saltLength).padEnd(saltLength, '0')

/** Sequence numbers per block; within a block only the last two characters change. */
const blockSize = symbols.length ** 2

export function createLineIds(salt: string): (instant: number, seq: number) => string {
  let lastMs = -1
  let time = ''
  let lastBlock = -1
  let saltAndBlock = ''
  return (instant, seq) => {
    const ms = Math.max(0, Math.floor(instant))
    if (ms !== lastMs) {
      lastMs = ms
      time = base32(ms, timeLength)
    }
    const blockNumber = Math.floor(seq / blockSize)
    if (blockNumber !== lastBlock) {
      lastBlock = blockNumber
      saltAndBlock = salt + base32(blockNumber, seqLength - 2)
    }
    return time + saltAndBlock + base32(seq, 2)
  }
}
