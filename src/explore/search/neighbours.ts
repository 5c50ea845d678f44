/**
 * Groups of neighbours: schedules with successive numbers that share the faults at messages about no single order, so that they
 * can run side by side. A pure function of the number. Small groups try more of the shared faults early, large ones cost less.
 */

export interface NeighbourGroup {
  readonly number: number
  /** Number of its first schedule. */
  readonly begin: number
  /** Number behind its last schedule. */
  readonly end: number
}

export interface GroupSizes {
  /** Schedules in each of the first groups. */
  readonly first: number
  /** Groups of one size before it doubles. */
  readonly groupsPerSize: number
  /** Schedules in the largest groups. */
  readonly max: number
}

/** For sessions in process, where a session takes no longer than its work. */
export const smallGroupsFirst: GroupSizes = { first: 8, groupsPerSize: 6, max: 64 }

const sizeOf = (number: number, { first, groupsPerSize, max }: GroupSizes): number =>
  Math.min(max, first * 2 ** Math.min(20, Math.floor(number / groupsPerSize)))

/** The group behind another one; the first one without. */
export function nextGroup(
  sizes: GroupSizes,
  before: NeighbourGroup = { number: -1, begin: 0, end: 0 },
): NeighbourGroup {
  const number = before.number + 1
  return { number, begin: before.end, end: before.end + sizeOf(number, sizes) }
}

/** Finds the group of a schedule; quick for numbers that are asked for one after the other. */
export function createGroupFinder(sizes: GroupSizes): (index: number) => NeighbourGroup {
  let group = nextGroup(sizes)
  return (index) => {
    if (index < group.begin) group = nextGroup(sizes)
    while (index >= group.end) group = nextGroup(sizes, group)
    return group
  }
}
