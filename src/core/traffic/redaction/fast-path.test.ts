import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashWith } from '../../../../test/support/redactor.ts'
import { needsNoRedaction } from './fast-path.ts'
import { redactJson } from './json.ts'
import { redactPatterns } from './patterns.ts'
import { createPseudonyms } from './pseudonyms.ts'
import { createTextRedactor } from './text.ts'
import { createReplacer, type RedactionWalk } from './walk.ts'

const walk: RedactionWalk = {
  pseudonyms: createPseudonyms(hashWith('a')),
  known: undefined,
  replace: createReplacer(),
  depth: 0,
  report: () => undefined,
  text: createTextRedactor(),
  json: redactJson,
}

test('a value that passes the fast path matches no pattern', () => {
  const part = fc.oneof(
    fc.stringMatching(/^[\d.+() -]{1,14}$/),
    fc.stringMatching(/^[\dA-Z./-]{1,18}$/),
    fc.constantFrom(
      'a@b.co',
      'Bearer ',
      'basic ',
      'senha:',
      'token=',
      'abcdefgh',
      '52998224725',
      ' ',
    ),
    fc.constantFrom('eyJhbGciOiJ', '.', '4111', '000201', 'São', '/', 'password', '"'),
  )
  const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (value) => {
      fc.pre(needsNoRedaction(value))
      expect(redactPatterns(walk, value, '', false)).toBe(value)
    }),
    { numRuns: 3000, maxSkipsPerRun: 1000 },
  )
})

test('names, statuses, ids and times pass the fast path', () => {
  for (const value of [
    'CONFIRMED',
    'Pão de queijo',
    '2026-11-20T12:00:00.000Z',
    '2026-11-20T12:00:00-03:00',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'BRL',
    '01310-100',
    'Fri, 20 Nov 2026 12:00:00 GMT',
  ])
    expect([value, needsNoRedaction(value)]).toEqual([value, true])
})
