/**
 * Groups of neighbours: schedules with successive numbers that share the faults at messages about no single order, so that they
 * can run side by side. A pure function of the number. Where sessions take real time groups grow, as the number of schedules
 * does that run side by side.
 */

export interface NeighbourGroup {
  readonly number: number
  /** Number of its first schedule. */
  readonly begin: number
  /** Number behind its last schedule. */
  readonly end: number
}

/** Schedules in the first groups. */
export const firstGroupSize = 16
const sizeOf = (number: number, maxSize: number): number =>
  Math.min(maxSize, firstGroupSize * 2 ** Math.min(20, number))

/** The group behind another one; the first one without. */
export function nextGroup(
  maxSize: number,
  before: NeighbourGroup = { number: -1, begin: 0, end: 0 },
): NeighbourGroup {
  const number = before.number + 1
  return { number, begin: before.end, end: before.end + sizeOf(number, maxSize) }
}

/** Finds the group of a schedule; quick for numbers that are asked for one after the other. */
export function createGroupFinder(maxSize: number): (index: number) => NeighbourGroup {
  let group = nextGroup(maxSize)
  return (index) => {
    if (index < group.begin) group = nextGroup(maxSize)
    while (index >= group.end) group = nextGroup(maxSize, group)
    return group
  }
}
