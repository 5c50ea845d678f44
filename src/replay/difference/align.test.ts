import { expect, test } from 'vitest'
import { align } from './align.ts'

test('rows above the search limit are aligned by index, and only where the score is above 0', () => {
  const left = Array.from({ length: 2500 }, (_, index) =>
    index === 7 ? 'order' : `call ${index % 2}`,
  )
  const right = Array.from({ length: 2500 }, (_, index) => `call ${(index + 1) % 2}`).with(
    7,
    'call 1',
  )
  const beside = align({
    left: left.length,
    right: right.length,
    score: (row, column) => (left[row]!.slice(0, 4) === right[column]!.slice(0, 4) ? 1 : 0),
    best: 2,
  })
  expect(beside.filter((each) => each.left === 7 || each.right === 7)).toEqual([
    { left: 7 },
    { right: 7 },
  ])
  expect(beside).toHaveLength(2501)
})
