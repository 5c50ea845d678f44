/** Keeps the last results as a whole, so that an agent that was shown a part can read on. */
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { problem } from '../../core/base/problem.ts'

/** A part of a result. */
export interface ResultPart {
  readonly value: unknown
  /** Of a list or a text: the place of the first entry or character, and how many there are. */
  readonly offset?: number
  readonly of?: number
}

export interface ResultStore {
  /** Returns the number by which the result is found. */
  readonly keep: (value: unknown) => number
  readonly read: (number: number, path: string, offset: number, limit: number) => ResultPart
}

const maxResults = 20

const attempted = (number: number): string => `reading result ${number}`

/** The member that a part of a JSON Pointer names. */
function member(value: unknown, key: string, path: string, number: number): unknown {
  if (Array.isArray(value)) {
    if (/^\d+$/.test(key) && Number(key) < value.length) return value[Number(key)]
    throw problem(
      attempted(number),
      `${path || 'the result'} is a list of ${value.length}, and has no entry ${key}`,
      'Count from 0.',
    )
  }
  if (isUnknownRecord(value) && Object.hasOwn(value, key)) return value[key]
  const names = isUnknownRecord(value) ? Object.keys(value) : []
  const near = findClosestName(key, names)
  throw problem(
    attempted(number),
    `${path || 'the result'} has no member "${key}"`,
    near === undefined
      ? names.length === 0
        ? 'It has none: shorten the path.'
        : `It has ${names.slice(0, 20).join(', ')}.`
      : `Did you mean ${near}?`,
  )
}

function valueAt(value: unknown, path: string, number: number): unknown {
  if (path === '' || path === '/') return value
  if (!path.startsWith('/'))
    throw problem(
      attempted(number),
      `"${path}" is no JSON Pointer`,
      'Write it as /runs/0/failures.',
    )
  let found = value
  let walked = ''
  for (const part of path.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = member(found, key, walked, number)
    walked += `/${part}`
  }
  return found
}

export function createResultStore(): ResultStore {
  const kept = new Map<number, unknown>()
  let last = 0
  return {
    keep(value) {
      kept.set(++last, value)
      kept.delete(last - maxResults)
      return last
    },
    read(number, path, offset, limit) {
      if (!kept.has(number))
        throw problem(
          attempted(number),
          number > 0 && number <= last ? 'it was given up' : 'there is no such result',
          `The last ${maxResults} long results are kept: call the tool again.`,
        )
      const value = valueAt(kept.get(number), path, number)
      if (typeof value !== 'string' && !Array.isArray(value)) return { value }
      return { value: value.slice(offset, offset + limit), offset, of: value.length }
    },
  }
}
