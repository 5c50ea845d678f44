import { expect, test } from 'vitest'
import { createProblemList } from './problem-list.ts'

test('a list is bounded, fatal problems too; the first fatal one is listed in any case', () => {
  const { add, all, count } = createProblemList()
  for (let line = 1; line <= 500; line++) add(`line ${line}`, 'wrong')
  for (let line = 501; line <= 1000; line++) add(`line ${line}`, 'fatal', true)
  expect(all()).toHaveLength(102)
  expect(all().slice(-2)).toEqual([
    { where: 'line 501', message: 'fatal', fatal: true },
    { where: 'behind it', message: '899 more like these' },
  ])
  expect(count()).toBe(1000)
})
