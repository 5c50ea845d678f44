/**
 * Cuts a JSON value to a size: long lists after their first entries, long texts after their beginning, what is nested
 * too deep.
 */
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

/** A place where something was left out. */
export interface Cut {
  /** JSON Pointer of the list, text or object. */
  readonly path: string
  /** Entries or characters that are left. */
  readonly shown: number
  readonly of: number
}

export interface BoundedValue {
  readonly value: unknown
  readonly cuts: readonly Cut[]
}

interface Limits {
  readonly entries: number
  readonly chars: number
  readonly depth: number
}

/** From the mildest to the strictest. */
const levels: readonly Limits[] = [
  { entries: Infinity, chars: Infinity, depth: Infinity },
  { entries: 100, chars: 8000, depth: Infinity },
  { entries: 50, chars: 2000, depth: 12 },
  { entries: 20, chars: 1000, depth: 10 },
  { entries: 10, chars: 500, depth: 8 },
  { entries: 5, chars: 300, depth: 6 },
  { entries: 3, chars: 200, depth: 4 },
  { entries: 2, chars: 100, depth: 3 },
  { entries: 1, chars: 80, depth: 2 },
]

const pointerPart = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

function cutBy({ entries, chars, depth }: Limits, value: unknown): BoundedValue {
  const cuts: Cut[] = []
  const note = (path: string, shown: number, of: number): void => {
    if (shown < of) cuts.push({ path, shown, of })
  }
  function walk(each: unknown, path: string, level: number): unknown {
    if (typeof each === 'string') {
      note(path, Math.min(chars, each.length), each.length)
      return each.length > chars ? `${each.slice(0, chars)}…` : each
    }
    if (Array.isArray(each)) {
      const kept = level >= depth ? 0 : entries
      note(path, Math.min(kept, each.length), each.length)
      return each.slice(0, kept).map((one, at) => walk(one, path + pointerPart(at), level + 1))
    }
    if (!isUnknownRecord(each)) return each
    const members = Object.entries(each)
    if (level >= depth) note(path, 0, members.length)
    return Object.fromEntries(
      (level >= depth ? [] : members).map(([key, one]) => [
        key,
        walk(one, path + pointerPart(key), level + 1),
      ]),
    )
  }
  return { value: walk(value, '', 0), cuts }
}

/** The value as the mildest limits leave it with which its JSON has at most `maxChars` characters. */
export function boundValue(value: unknown, maxChars: number): BoundedValue {
  for (const limits of levels) {
    const bounded = cutBy(limits, value)
    if ((JSON.stringify(bounded.value) ?? '').length <= maxChars) return bounded
  }
  // Wide objects are not cut by the limits: their JSON as a text is.
  const text = JSON.stringify(value)
  return {
    value: `${text.slice(0, maxChars)}…`,
    cuts: [{ path: '', shown: maxChars, of: text.length }],
  }
}
