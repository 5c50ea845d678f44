/** Closures over causes, whatever exchanges are removed. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cause } from '../../../core/traffic/recording/recorded-exchange.ts'
import { closureOf } from './closure.ts'

const cause = (id: string, sure = 1): Cause => ({ id, kind: 'order', sure })
const chain = new Map([
  ['token', []],
  ['created', [cause('token')]],
  ['confirm', [cause('token'), cause('created')]],
  ['confirmed', [cause('confirm')]],
  ['other', [cause('token'), cause('confirm', 0.4)]],
])

describe('in a small recording', () => {
  const withDependants = closureOf(chain.keys(), chain)

  test('all transitive dependants of an exchange are removed with it', () => {
    expect([...withDependants(['created'])]).toEqual(['created', 'confirm', 'confirmed'])
    expect([...withDependants(['confirmed', 'other'])]).toEqual(['confirmed', 'other'])
  })

  test('order causes are no dependency, unless the minimum certainty is 0', () => {
    expect(withDependants(['confirm']).has('other')).toBe(false)
    expect(closureOf(chain.keys(), chain, 0)(['confirm']).has('other')).toBe(true)
  })

  test('causes outside the set are ignored', () => {
    const part = closureOf(['token', 'confirmed'], chain)
    expect([...part(['token'])]).toEqual(['token'])
  })
})

/** Numbered exchanges, each with causes among the previous ones. */
const stories = fc
  .array(fc.array(fc.nat({ max: 60 }), { maxLength: 3 }), { minLength: 1, maxLength: 60 })
  .map(
    (rows) =>
      new Map(
        rows.map((befores, place) => [
          String(place),
          place === 0 ? [] : [...new Set(befores)].map((before) => cause(String(before % place))),
        ]),
      ),
  )
const picks = fc.array(fc.nat({ max: 60 }).map(String), { maxLength: 10 })

test('after exchanges are removed with their dependants, the rest is closed under causes', () => {
  fc.assert(
    fc.property(stories, picks, (story, removed) => {
      const gone = closureOf(story.keys(), story)(removed)
      const kept = new Set([...story.keys()].filter((id) => !gone.has(id)))
      for (const id of removed) expect(kept.has(id)).toBe(false)
      for (const id of kept)
        for (const { id: before } of story.get(id) ?? []) expect(kept.has(before)).toBe(true)
    }),
  )
})
