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

export const createLineIds =
  (salt: string) =>
  (instant: number, seq: number): string =>
    base32(Math.max(0, Math.floor(instant)), timeLength) + salt + base32(seq, seqLength)
