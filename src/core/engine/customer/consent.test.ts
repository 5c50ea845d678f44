/** Marketing consent: a withdrawal takes precedence, and only a later consent undoes it. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isoOf } from '../instant.ts'
import { withConsent, withSentConsent, type ConsentState } from './consent.ts'

const marketing = ({ consent }: ConsentState): boolean | undefined => consent?.marketing
const sent = (state: ConsentState, yes: boolean, at?: number): ConsentState =>
  withSentConsent(
    state,
    { marketing: yes, ...(at === undefined ? {} : { updatedAt: isoOf(at) }) },
    5000,
  )

describe('consent from an event', () => {
  test('[CUS-EVR-01] a withdrawal applies at once; an older consent that arrives late does not undo it', () => {
    const consented = withConsent({}, true, 100)
    expect(marketing(consented)).toBe(true)
    const withdrawn = withConsent(consented, false, 200)
    expect(marketing(withdrawn)).toBe(false)
    for (const late of [100, 150, 200]) expect(withConsent(withdrawn, true, late)).toBe(withdrawn)
    expect(marketing(withConsent(withdrawn, true, 201))).toBe(true)
  })

  test('[CUS-EVR-01] a withdrawal applies even if it arrives after a consent with a later time', () => {
    expect(marketing(withConsent(withConsent({}, true, 300), false, 200))).toBe(false)
  })

  test('[CUS-EVR-01] in any order of arrival: after a withdrawal only a later consent counts', () => {
    const statement = fc.record({ yes: fc.boolean(), at: fc.integer({ min: 1, max: 20 }) })
    const followsRule = (
      all: readonly { readonly yes: boolean; readonly at: number }[],
    ): boolean => {
      let state: ConsentState = {}
      for (const { yes, at } of all) state = withConsent(state, yes, at)
      const lastNo = Math.max(0, ...all.filter(({ yes }) => !yes).map(({ at }) => at))
      const laterYes = all.some(({ yes, at }) => yes && at > lastNo)
      const endsWithNo = all.at(-1)?.yes === false
      return marketing(state) === false || (laterYes && !endsWithNo)
    }
    expect(() =>
      fc.assert(fc.property(fc.array(statement, { minLength: 1 }), followsRule)),
    ).not.toThrow()
    // Guard: consent can become true at all.
    expect(followsRule([{ yes: true, at: 1 }])).toBe(true)
    expect(marketing(withConsent({}, true, 1))).toBe(true)
  })
})

describe('consent in a sent record', () => {
  test('[CUS-EVR-01] does not undo a withdrawal unless it has a later time', () => {
    const withdrawn = withConsent({}, false, 200)
    expect(sent(withdrawn, true)).toBe(withdrawn)
    expect(sent(withdrawn, true, 200)).toBe(withdrawn)
    expect(marketing(sent(withdrawn, true, 300))).toBe(true)
  })

  test('withdraws with or without a time, but an older record does not withdraw a newer consent', () => {
    const consented = withConsent({}, true, 200)
    expect(marketing(sent(consented, false))).toBe(false)
    expect(marketing(sent(consented, false, 300))).toBe(false)
    expect(sent(consented, false, 100)).toBe(consented)
  })

  test('without a marketing field leaves the marketing consent unchanged', () => {
    const consented = withConsent({}, true, 200)
    const after = withSentConsent(consented, { source: 'app' }, 5000)
    expect(after.consent).toMatchObject({ marketing: true, source: 'app' })
    expect(withSentConsent(consented, undefined, 5000)).toBe(consented)
  })
})
