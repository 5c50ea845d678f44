import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createGroupFinder,
  type GroupSizes,
  type NeighbourGroup,
  nextGroup,
  smallGroupsFirst,
} from './neighbours.ts'

const doubling = (max: number): GroupSizes => ({ first: 16, groupsPerSize: 1, max })

function groupsTo(count: number, sizes: GroupSizes): readonly NeighbourGroup[] {
  const groups: NeighbourGroup[] = []
  for (let group = nextGroup(sizes); group.number < count; group = nextGroup(sizes, group))
    groups.push(group)
  return groups
}

describe('groups of neighbours', () => {
  test('follow each other without a gap, from the first schedule on', () => {
    const groups = groupsTo(20, doubling(128))
    expect(groups[0]?.begin).toBe(0)
    for (const [index, group] of groups.entries()) {
      expect(group.number).toBe(index)
      if (index > 0) expect(group.begin).toBe(groups[index - 1]?.end)
    }
  })

  test('have all the same size where they must not grow', () => {
    expect(groupsTo(4, doubling(16)).map(({ begin, end }) => end - begin)).toEqual([16, 16, 16, 16])
  })

  test('grow to twice the size of the one before, up to the largest', () => {
    expect(groupsTo(5, doubling(100)).map(({ begin, end }) => end - begin)).toEqual([
      16, 32, 64, 100, 100,
    ])
  })

  test('grow after several of one size', () => {
    expect(groupsTo(20, smallGroupsFirst).map(({ begin, end }) => end - begin)).toEqual([
      8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 64, 64,
    ])
  })

  test('are no larger than the largest may be', () => {
    expect(groupsTo(2, doubling(4))).toEqual([
      { number: 0, begin: 0, end: 4 },
      { number: 1, begin: 4, end: 8 },
    ])
  })

  test('are found by the number of a schedule, in whatever order it is asked for', () => {
    const numbers = fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 30 })
    const groups = groupsTo(60, doubling(128))
    fc.assert(
      fc.property(numbers, (indices) => {
        const groupOf = createGroupFinder(doubling(128))
        for (const index of indices)
          expect(groupOf(index)).toEqual(
            groups.find(({ begin, end }) => begin <= index && index < end),
          )
      }),
    )
  })
})
