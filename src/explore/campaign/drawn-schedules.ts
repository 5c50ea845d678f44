/** The schedules of a part of a campaign that were not run yet, batch by batch. */
import type { CampaignState } from './campaign-state.ts'
import { type GroupSizes, nextGroup, smallGroupsFirst } from '../search/neighbours.ts'
import { scheduleHash, sessionKey } from '../schedules/schedule.ts'
import type { DrawnSchedule, ScheduleGenerator } from '../search/schedule-generator.ts'
import type { Shard } from '../../terminal/cli/shards/shard.ts'

export interface DrawnSchedulesOptions {
  readonly generator: ScheduleGenerator
  readonly state: CampaignState
  readonly maxRuns?: number | undefined
  readonly shard?: Shard | undefined
  readonly groupSizes?: GroupSizes | undefined
}

/**
 * Ranges of numbers: with a limit a shard has its share of them, otherwise every so many groups of neighbours are its
 * own.
 */
function* rangesOf({
  shard = { part: 1, of: 1 },
  maxRuns,
  groupSizes = smallGroupsFirst,
}: DrawnSchedulesOptions): Generator<readonly [begin: number, end: number], undefined> {
  if (maxRuns !== undefined) {
    const numberAt = (part: number): number => Math.floor((maxRuns * part) / shard.of)
    yield [numberAt(shard.part - 1), numberAt(shard.part)]
    return undefined
  }
  for (let group = nextGroup(groupSizes); ; group = nextGroup(groupSizes, group))
    if (group.number % shard.of === shard.part - 1) yield [group.begin, group.end]
}

/** The numbers that are left. */
function* indicesOf(options: DrawnSchedulesOptions): Generator<number, undefined> {
  for (const [begin, end] of rangesOf(options))
    for (let index = begin; index < end; index++) if (!options.state.hasIndex(index)) yield index
  return undefined
}

export interface DrawnSchedules {
  readonly isEmpty: () => boolean
  /** The next ones with the same shared faults, at most `width` of them; those that were run already are left out. */
  readonly take: (width: number) => readonly DrawnSchedule[]
  /** What is taken next with this width, at most so many times. */
  readonly peek: (times: number, width: number) => readonly (readonly DrawnSchedule[])[]
}

export function createDrawnSchedules(options: DrawnSchedulesOptions): DrawnSchedules {
  const { generator, state } = options
  const indices = indicesOf(options)
  /** Of all that were taken: those of earlier batches may not have ended. */
  const hashes = new Set<string>()
  const ahead: (readonly DrawnSchedule[])[] = []
  let next = indices.next()

  function draw(width: number): readonly DrawnSchedule[] {
    const drawn: DrawnSchedule[] = []
    let key: string | undefined
    while (next.done !== true && drawn.length < width) {
      const candidate = generator.drawn(next.value)
      const { schedule } = candidate
      key ??= sessionKey(schedule)
      if (sessionKey(schedule) !== key) break
      const hash = scheduleHash(schedule)
      if (!state.hasRun(hash) && !hashes.has(hash)) drawn.push(candidate)
      hashes.add(hash)
      next = indices.next()
    }
    return drawn
  }

  return {
    isEmpty: () => ahead.length === 0 && next.done === true,
    take: (width) => ahead.shift() ?? draw(width),
    peek(times, width) {
      while (ahead.length < times && next.done !== true) ahead.push(draw(width))
      return ahead
    },
  }
}
