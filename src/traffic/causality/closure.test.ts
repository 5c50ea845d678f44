/** Sets that stand by themselves, whatever is taken out of them. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cause } from '../recording/recorded-exchange.ts'
import { closureOf } from './closure.ts'

const cause = (id: string, sure = 1): Cause => ({ id, kind: 'order', sure })
const chain = new Map([
  ['token', []],
  ['created', [cause('token')]],
  ['confirm', [cause('token'), cause('created')]],
  ['confirmed', [cause('confirm')]],
  ['other', [cause('token'), cause('confirm', 0.4)]],
])

describe('of a small story', () => {
  const { withCauses, withDependants } = closureOf(chain.keys(), chain)

  test('with an exchange comes all that it came of', () => {
    expect([...withCauses(['confirmed'])].toSorted()).toEqual([
      'confirm',
      'confirmed',
      'created',
      'token',
    ])
  })

  test('with an exchange goes all that came of it', () => {
    expect([...withDependants(['created'])]).toEqual(['created', 'confirm', 'confirmed'])
  })

  test('to have come later is no reason, unless one asks for every order that was seen', () => {
    expect([...withCauses(['other'])]).toEqual(['other', 'token'])
    expect(closureOf(chain.keys(), chain, 0).withCauses(['other']).has('created')).toBe(true)
  })

  test('exchanges that are not there hold nobody', () => {
    const part = closureOf(['confirm', 'confirmed'], chain)
    expect([...part.withCauses(['confirmed', 'nobody'])]).toEqual(['confirmed', 'confirm'])
  })
})

/** A story of numbered exchanges, each with causes among those before it. */
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

test('what remains when some are gone holds all of its causes, and nothing that is gone', () => {
  fc.assert(
    fc.property(stories, picks, (story, removed) => {
      const gone = closureOf(story.keys(), story).withDependants(removed)
      const kept = new Set([...story.keys()].filter((id) => !gone.has(id)))
      for (const id of removed) expect(kept.has(id)).toBe(false)
      for (const id of kept)
        for (const { id: before } of story.get(id) ?? []) expect(kept.has(before)).toBe(true)
    }),
  )
})

test('the causes of a set hold all of their causes, and to ask again adds nothing', () => {
  fc.assert(
    fc.property(stories, picks, (story, wanted) => {
      const { withCauses } = closureOf(story.keys(), story)
      const whole = withCauses(wanted)
      for (const id of whole)
        for (const { id: before } of story.get(id) ?? []) expect(whole.has(before)).toBe(true)
      expect(withCauses(whole)).toEqual(whole)
    }),
  )
})
