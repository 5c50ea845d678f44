/** Which failure `--failure` and `--at` name. */
import { expect, test } from 'vitest'
import type { FailureRank, ListedFailure } from '../../minimise/failure-list.ts'
import { failureChoice } from './failure-choice.ts'

const answered = (
  status: number,
  rank: FailureRank,
  ...numbers: readonly number[]
): ListedFailure => ({
  signature: { kind: 'answer', operation: 'receiveOrderEvent', status, by: 'subject' },
  rank,
  count: numbers.length,
  places: numbers.map((number) => ({ recordId: `r${number}`, number })),
  text: `receiveOrderEvent CONFIRMED of order 3a40489f-4bfa-4511-89ba-60b10b66306f is answered ${status}`,
})

const failures = [
  answered(500, 'rejected with 5xx then and now', 158, 159),
  answered(422, 'rejected with 4xx now', 12),
]

const chosen = (flags: Parameters<typeof failureChoice>[0]) =>
  failureChoice(flags)(failures)?.places.map(({ number }) => number)

test.each([
  ['the worst without a name', {}, [158, 159]],
  ['its number in the list', { failure: '2' }, [12]],
  ['a part of its text', { failure: 'ANSWERED 422' }, [12]],
  ['its status', { failure: '422' }, [12]],
  ['one of its places', { at: '#159' }, [159]],
])('%s', (_what, flags, numbers) => {
  expect(chosen(flags)).toEqual(numbers)
})

test.each(['0', '3', '99', '4511', '1.5', 'dispatched'])(
  '%s names none, although it may stand in an id',
  (failure) => {
    expect(chosen({ failure })).toBeUndefined()
  },
)

test('a place without a failure, or in other words, names none', () => {
  expect(chosen({ at: '#1' })).toBeUndefined()
  expect(() => failureChoice({ at: 'x' })).toThrow('x is no number of an exchange')
  expect(() => failureChoice({ at: '#1', failure: '1' })).toThrow('there is --failure as well')
})
