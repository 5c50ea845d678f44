import { expect, test } from 'vitest'
import { callResultRead } from './result-read.ts'
import { createResultStore } from './result-store.ts'

const stored = (...values: readonly unknown[]) => {
  const store = createResultStore()
  const numbers = values.map(store.keep)
  return { numbers, read: (input: unknown) => callResultRead(input, store) }
}

test('a part of a result is read by its pointer, its offset and its limit', () => {
  const { read } = stored({ runs: ['a', 'b', 'c'], 'x/y': { text: 'abcdef' } })
  expect(read({ result: 1, path: '/runs', offset: 1, limit: 1 })).toMatchObject({
    ok: true,
    answer: { result: ['b'], meaning: 'from 1, of 3' },
  })
  expect(read({ result: 1, path: '/x~1y/text', offset: 2, limit: 3 })).toMatchObject({
    answer: { result: 'cde', meaning: 'from 2, of 6' },
  })
  expect(read({ result: 1 })).toMatchObject({ answer: { result: { runs: ['a', 'b', 'c'] } } })
})

test('a part that is long itself names the paths to read on', () => {
  const { read } = stored([{ texts: Array.from({ length: 50 }, () => 'x'.repeat(3000)) }])
  const outcome = read({ result: 1, path: '/0' })
  const more = outcome.ok ? outcome.answer.more : undefined
  expect(more?.result).toBe(1)
  expect(more?.cuts.slice(0, 2)).toEqual([
    { path: '/0/texts', shown: 20, of: 50 },
    { path: '/0/texts/0', shown: 1000, of: 3000 },
  ])
  expect(more?.cuts).toHaveLength(10)
})

test.each([
  [undefined, 'calling result_read: result is missing. It is the number of a result.'],
  [{ result: '1' }, 'calling result_read: result is "1". It must be a whole number from 1 up.'],
  [{ result: 1, page: 2 }, 'it has no argument "page". It has result, path, offset, limit.'],
  [{ result: 9 }, 'reading result 9: there is no such result. The last 20 long results are kept'],
  [{ result: 1, path: 'runs' }, '"runs" is no JSON Pointer. Write it as /runs/0/failures.'],
  [{ result: 1, path: '/rnus' }, 'the result has no member "rnus". Did you mean runs?'],
  [{ result: 1, path: '/runs/7' }, '/runs is a list of 1, and has no entry 7. Count from 0.'],
  [{ result: 1, path: '/runs/0/a' }, '/runs/0 has no member "a". It has none: shorten the path.'],
  [{ result: 1, path: '/__proto__' }, 'the result has no member "__proto__".'],
])('%j is a wrong call', (input, message) => {
  expect(stored({ runs: [1] }).read(input)).toEqual({
    ok: false,
    message: expect.stringContaining(message) as string,
  })
})

test('the last 20 results are kept', () => {
  const { read, numbers } = stored(...Array.from({ length: 21 }, (_, n) => ({ n })))
  expect(numbers.at(-1)).toBe(21)
  expect(read({ result: 1 })).toMatchObject({ ok: false, message: /it was given up/ })
  expect(read({ result: 2 })).toMatchObject({ answer: { result: { n: 1 } } })
})
