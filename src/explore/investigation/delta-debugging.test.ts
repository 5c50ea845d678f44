import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ddmin, firstFailing, oneMinimal, type Shrinking } from './delta-debugging.ts'

type Fails = (values: readonly number[]) => boolean

interface Answered {
  readonly result: readonly number[]
  readonly rounds: number
  /** Candidates that were asked about. */
  readonly asked: readonly (readonly number[])[]
}

function answer(shrinking: Shrinking<readonly number[]>, fails: Fails): Answered {
  const asked: (readonly number[])[] = []
  let rounds = 0
  let step = shrinking.next()
  while (step.done !== true) {
    rounds++
    asked.push(...step.value)
    step = shrinking.next(step.value.map(fails))
  }
  return { result: step.value, rounds, asked }
}

const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index)

const containsAll =
  (needed: readonly number[]): Fails =>
  (values) =>
    needed.every((each) => values.includes(each))

/** Some values are needed; others hide the failure when they are there without their opposite. */
interface Failure {
  readonly count: number
  readonly needed: readonly number[]
  /** It fails only when both of a pair are there, or none. */
  readonly together: readonly (readonly [number, number])[]
}

const failure: fc.Arbitrary<Failure> = fc.integer({ min: 1, max: 24 }).chain((count) => {
  const value = fc.integer({ min: 0, max: count - 1 })
  return fc.record({
    count: fc.constant(count),
    needed: fc.uniqueArray(value, { maxLength: 4 }),
    together: fc.array(fc.tuple(value, value), { maxLength: 3 }),
  })
})

const failsOf =
  ({ needed, together }: Failure): Fails =>
  (values) =>
    containsAll(needed)(values) &&
    together.every(([one, other]) => values.includes(one) === values.includes(other))

describe('delta debugging', () => {
  test('ends with a part of the values, in their order, that still fails', () => {
    fc.assert(
      fc.property(failure, (given) => {
        const values = numbersTo(given.count)
        const { result } = answer(ddmin(values), failsOf(given))
        expect(failsOf(given)(result)).toBe(true)
        expect(values.filter((each) => result.includes(each))).toEqual(result)
      }),
    )
  })

  test('ends with values of which none can be left out alone, even where fewer values hide the failure', () => {
    fc.assert(
      fc.property(failure, (given) => {
        const fails = failsOf(given)
        const { result } = answer(ddmin(numbersTo(given.count)), fails)
        for (const each of result)
          expect(fails(result.filter((value) => value !== each))).toBe(false)
      }),
    )
  })

  test('finds exactly the values that are needed, where every further one is harmless', () => {
    const needed = fc
      .integer({ min: 1, max: 60 })
      .chain((count) =>
        fc.tuple(
          fc.constant(count),
          fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }), { maxLength: 5 }),
        ),
      )
    fc.assert(
      fc.property(needed, ([count, values]) => {
        const { result } = answer(ddmin(numbersTo(count)), containsAll(values))
        expect(result).toEqual([...values].sort((one, other) => one - other))
      }),
    )
  })

  test('asks about no more than the square of the number of values, and never about all of them', () => {
    fc.assert(
      fc.property(failure, (given) => {
        const { asked } = answer(ddmin(numbersTo(given.count)), failsOf(given))
        expect(asked.length).toBeLessThanOrEqual(2 * given.count ** 2 + 2 * given.count)
        expect(asked.filter(({ length }) => length === given.count)).toEqual([])
      }),
    )
  })

  test('halves the values for one that alone fails: about two questions for each halving', () => {
    const { result, rounds, asked } = answer(ddmin(numbersTo(64)), containsAll([37]))
    expect(result).toEqual([37])
    expect(rounds).toBeLessThanOrEqual(8)
    expect(asked.length).toBeLessThanOrEqual(16)
  })

  test('is certain that nothing is needed only after it has left out the last value', () => {
    expect(answer(ddmin([7]), () => true).result).toEqual([])
    expect(answer(ddmin([7]), containsAll([7])).result).toEqual([7])
    expect(answer(ddmin([]), () => true)).toEqual({ result: [], rounds: 0, asked: [] })
  })
})

describe('the candidates of one round', () => {
  test('are independent: the first that fails is taken, in their order', () => {
    const asked = firstFailing(['a', 'b', 'c'])
    expect(asked.next().value).toEqual(['a', 'b', 'c'])
    expect(asked.next([false, true, true])).toEqual({ done: true, value: 'b' })
  })

  test('may all pass', () => {
    const asked = firstFailing(['a'])
    asked.next()
    expect(asked.next([false])).toEqual({ done: true, value: undefined })
  })

  test('are not asked about when there are none', () => {
    expect(firstFailing([]).next()).toEqual({ done: true, value: undefined })
  })
})

test('the last pass leaves out one value after the other, until none can be left out', () => {
  const { result, rounds } = answer(oneMinimal(numbersTo(4)), containsAll([1, 3]))
  expect(result).toEqual([1, 3])
  expect(rounds).toBe(3)
})
