/** Which values of a recorded message redaction has replaced: nothing can be said about what they were. */
import { normaliseKey } from './keys.ts'
import type { Redaction } from './walk.ts'

/** A part of a message whose values redaction lists by name. */
export type RedactedPart = 'q.url' | 'q.body' | 'p.body'

export interface RedactedPlaces {
  /** Whether the value at this JSON pointer was replaced, or may have been; an empty one is the whole. */
  readonly has: (pointer: string) => boolean
  /** Whether a value at this JSON pointer or below it was. */
  readonly within: (pointer: string) => boolean
  /** Whether names of members were. */
  readonly hasNames: boolean
}

type Segments = readonly string[]

const segmentsOf = (pointer: string): Segments =>
  pointer === '' ? [] : pointer.slice(1).split('/')

/** Positions in lists are `*`, and in queries and forms names are in the form of `normaliseKey`. */
const isSegment = (redacted: string | undefined, segment: string): boolean =>
  redacted === '*'
    ? /^\d+$/.test(segment)
    : redacted === segment || redacted === normaliseKey(segment)

const startsWith = (whole: Segments, start: Segments): boolean =>
  start.every((segment, index) => isSegment(whole[index], segment))

/**
 * Redactions whose place is not said: of a known value somewhere in the line, below the maximum depth, beyond the list.
 */
const isAnywhere = ({ p }: Redaction): boolean => p === '*' || p === '…' || p.includes('/…/')

/** The places of one part of an exchange; undefined when nothing in it was replaced. */
export function redactedPlaces(
  redactions: readonly Redaction[] | undefined,
  part: RedactedPart,
): RedactedPlaces | undefined {
  if (!redactions) return undefined
  const anywhere = redactions.some(isAnywhere)
  const rows = redactions.flatMap(({ p }) => {
    if (!p.startsWith(part)) return []
    const rest = p.slice(part.length)
    if (rest !== '' && !/^[/#]/.test(rest)) return []
    // Behind `#` it continues in a text, which is a value of the message.
    const [whole = ''] = rest.split('#')
    return [segmentsOf(whole)]
  })
  if (rows.length === 0 && !anywhere) return undefined
  return {
    has: (pointer) => {
      const place = segmentsOf(pointer)
      return anywhere || rows.some((row) => row.length === place.length && startsWith(row, place))
    },
    within: (pointer) => anywhere || rows.some((row) => startsWith(row, segmentsOf(pointer))),
    hasNames: anywhere || redactions.some(({ p }) => p === `${part}/*`),
  }
}

/** Whether the value of a header was replaced. */
export const isRedactedHeader = (
  redactions: readonly Redaction[] | undefined,
  side: 'q' | 'p',
  lowerName: string,
): boolean =>
  redactions?.some((row) => isAnywhere(row) || row.p === `${side}.headers.${lowerName}`) === true
