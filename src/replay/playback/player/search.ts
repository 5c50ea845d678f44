/**
 * Incremental filter search over a recording, in time slices of a few ms that yield to keys and sockets; partial
 * results are available meanwhile.
 */
import { compact } from '../../../core/base/compact.ts'
import { type OperationId, operations } from '../../../core/protocol/catalogue.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { trafficFilter, type TrafficTest } from '../../../core/views/traffic-filter.ts'
import { trafficRow } from '../../../core/views/traffic-rows.ts'
import type { TrafficRow } from '../../../core/session-api/session-api.ts'
import { type RecordingTimeline, type RecordingTimelineRow, createTimeSlicer } from './timeline.ts'

/** Filter words that the index answers without reading the exchange. */
const indexedWord = /^!*(?:(?:status|ms)(?:>=|<=|=|>|<)|(?:from|to):|failed$)/
/** Words that match the whole exchange once they match a part of it. */
const plainWord = /^[^!/]/

/** A complete order id: its exchanges are known from the index without reading. */
const isId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

const operationIds = new Map<string, OperationId>(operations.map(({ id }) => [id, id]))

function indexRow({
  seq,
  startedAt,
  tookMs,
  from,
  to,
  status,
  operation,
}: RecordingTimelineRow): TrafficRow {
  const id = operationIds.get(operation ?? '')
  return {
    seq,
    startedAt,
    endedAt: startedAt,
    tookMs,
    from: from.role,
    to: to.role,
    subject: from.party === 'subject' || to.party === 'subject',
    method: '',
    path: '',
    status,
    ...compact({ operation: id }),
    ...(status === 0 ? { failure: '' } : {}),
  }
}

export interface FilterResult {
  /** Matching places, in order; grows while the search runs. */
  readonly places: readonly number[]
  /** Number of places tried so far. */
  readonly tried: number
  readonly done: boolean
}

export type FilterSearch = ReturnType<typeof createFilterSearch>

interface State {
  readonly filter: string
  readonly test: TrafficTest
  readonly places: number[]
  tried: number
  isRunning: boolean
  done: boolean
  stopped: boolean
}

export function createFilterSearch(timeline: RecordingTimeline, onChange: () => void) {
  let current: State | undefined

  async function fits(place: number, test: TrafficTest, cost: FilterCost): Promise<boolean> {
    const part = cost.part && test(indexRow(timeline.row(place)))
    if (part || !cost.whole) return part
    return test(trafficRow(await timeline.at(place)))
  }

  async function run(state: State): Promise<void> {
    const { test } = state
    const cost = filterCost(state.filter)
    const isOrder = state.tried === 0 && timeline.isWhole && isId.test(state.filter)
    const about = isOrder ? await timeline.about(state.filter) : []
    if (about.length > 0) {
      for (let index = 0; index < about.length; index++) state.places.push(about[index] ?? 0)
      state.tried = timeline.count
    }
    const slice = createTimeSlicer()
    for (; state.tried < timeline.count && !state.stopped; state.tried++) {
      if (await fits(state.tried, test, cost)) state.places.push(state.tried)
      const pause = slice()
      if (!pause) continue
      onChange()
      await pause
    }
    state.done = state.tried >= timeline.count && timeline.isWhole
    onChange()
  }

  function begin(state: State): void {
    if (state.isRunning || state.stopped) return
    state.isRunning = true
    // A missing file is reported by the reader of its rows; matches so far stay.
    run(state)
      .catch(() => {
        state.done = true
        onChange()
      })
      .finally(() => (state.isRunning = false))
  }

  function stop(): void {
    if (current) current.stopped = true
    current = undefined
  }

  return {
    /** Matches so far. A new filter cancels the previous search. */
    resultsFor(filter: string): Result<FilterResult, string> {
      if (current?.filter === filter) return ok(current)
      const test = trafficFilter(filter)
      if (!test.ok) return err(test.error)
      if (current) current.stopped = true
      const state: State = {
        filter,
        test: test.value,
        places: [],
        tried: 0,
        isRunning: false,
        done: false,
        stopped: false,
      }
      current = state
      begin(state)
      return ok(state)
    },
    stop,
    /**
     * Goes on with exchanges that have been indexed since; from the beginning when all are, since places have moved.
     */
    goOn() {
      if (timeline.isWhole) stop()
      else if (current) begin(current)
    },
  }
}

interface FilterCost {
  /** The index row may be enough to accept. */
  readonly part: boolean
  /** The exchange may have to be read. */
  readonly whole: boolean
}

function filterCost(filter: string): FilterCost {
  const words = filter.split(/\s+/).filter((word) => word !== '')
  const others = words.filter((word) => !indexedWord.test(word))
  return {
    part: others.every((word) => plainWord.test(word) && word !== 'idle'),
    whole: others.length > 0,
  }
}
