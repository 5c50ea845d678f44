/**
 * Reads a recording ahead and loads it into the engine, one bounded window of rows at a time: memory does not grow
 * with its length.
 */
import type { Engine } from '../../core/engine/engine.ts'
import type { Instant } from '../../core/engine/instant.ts'
import { createPacer, type PlaybackPace } from '../../core/engine/playback/pace.ts'
import { type PlaybackLoadRow, playbackWindow } from '../../core/engine/playback/row.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { setBounded } from '../../core/engine/bounded.ts'
import { createPlaybackCauses } from './playback-causes.ts'
import { playedRow } from './playback-row.ts'
import type { PlaybackSource } from './source.ts'

/** Maximum number of items in the window, copies included: one fact may plan only so many. */
const maxItems = 900
/** Rows per batch: due items are sent between batches. */
const batch = 32
const maxSlots = 50_000

/** One event loop turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface FeederOptions {
  readonly engine: Engine
  readonly source: PlaybackSource
  readonly pace: PlaybackPace
  /** Whether we send it. */
  readonly wanted: (recorded: RecordedExchange) => boolean
  /** Whether it is a call of the other side that later exchanges wait for. */
  readonly awaits?: ((recorded: RecordedExchange) => boolean) | undefined
  /** When the other side made it, if it was made before it was awaited. */
  readonly madeAt?: ((recordId: string) => Instant | undefined) | undefined
  /** Number of sends of each exchange. */
  readonly times: number
  /** Lead time before the first send: reading ahead must not delay it. */
  readonly leadMs: number
  /** Registers work in flight that time must not pass. */
  readonly underWay: (work: Promise<unknown>) => void
  /** Called when all rows are concluded and none are left. */
  readonly onEnd: () => void
}

export interface Feeder {
  readonly start: () => void
  readonly stop: () => void
  /** What is before this place and was not read yet is left out. */
  readonly skipTo: (place: number) => void
  /** The short name of an order. */
  readonly slotOf: (orderId: string) => string
}

export function createFeeder(options: FeederOptions): Feeder {
  const { engine, source, wanted, times, leadMs, underWay, onEnd } = options
  const { rows } = engine.world.playback
  const window = Math.min(playbackWindow, Math.floor(maxItems / times))
  const pacer = createPacer(options.pace)
  const tracker = createPlaybackCauses(pacer)
  const slots = new Map<string, string>()
  let next = 0
  let skippedTo = 0
  let orders = 0
  let filling = false
  let stopped = false

  function slotOf(orderId: string): string {
    const known = slots.get(orderId)
    if (known !== undefined) return known
    const slot = `o${++orders}`
    setBounded(slots, orderId, slot, maxSlots)
    return slot
  }

  function rowOf(recorded: RecordedExchange, place: number): PlaybackLoadRow {
    const played = playedRow(recorded, place, slotOf)
    const row: PlaybackLoadRow = {
      ...played,
      atMs: leadMs + pacer.next(recorded.startedAt),
      ...tracker.causesOf(recorded),
      ...(times === 1 ? {} : { times }),
    }
    tracker.addPlayed(recorded, played.label)
    return row
  }

  /** Row for an awaited call; none when it was made already. */
  function awaitedRow(recorded: RecordedExchange, place: number): readonly PlaybackLoadRow[] {
    const { recordId } = recorded
    const played = playedRow(recorded, place, slotOf)
    const { causes, blocked } = tracker.causesOf(recorded)
    tracker.addPlayed(recorded, played.label)
    const at = options.madeAt?.(recordId)
    const why = blocked === undefined ? {} : { blocked }
    if (at === undefined) return [{ ...played, atMs: 0, causes, awaited: true, ...why }]
    tracker.conclude(recordId, at, false)
    return []
  }

  /** Reads the next rows that fit in the window. */
  async function gather(): Promise<readonly PlaybackLoadRow[]> {
    const gathered: PlaybackLoadRow[] = []
    while (
      !stopped &&
      next < source.count &&
      gathered.length < batch &&
      rows.size + gathered.length < window
    ) {
      const place = next++
      const read = source.read(place)
      const recorded = read instanceof Promise ? await read : read
      if (place < skippedTo) tracker.addSkipped(recorded)
      else if (wanted(recorded)) gathered.push(rowOf(recorded, place))
      else if (options.awaits?.(recorded)) gathered.push(...awaitedRow(recorded, place))
      else tracker.addSkipped(recorded)
    }
    return gathered
  }

  async function fill(): Promise<void> {
    filling = true
    try {
      // Blocked rows conclude immediately and make room.
      while (!stopped && next < source.count && rows.size < window) {
        const gathered = await gather()
        if (gathered.length === 0) continue
        const loaded = engine.submit({ kind: 'playback.load', rows: gathered }, 'session')
        if (!loaded.ok) throw new Error(loaded.error.message)
        await turn()
      }
    } finally {
      filling = false
    }
    if (!stopped && rows.size === 0 && next >= source.count) onEnd()
  }

  function refill(): void {
    if (filling || stopped) return
    if (next < source.count && rows.size <= Math.max(window - batch, window / 2)) underWay(fill())
    else if (rows.size === 0) onEnd()
  }

  const unsubscribe = engine.onFact(({ fact, at }) => {
    if (fact.kind !== 'playback.concluded') return
    tracker.conclude(fact.recordId, at, fact.failed === true)
    // Deferred: listeners must not submit while a fact is being applied.
    queueMicrotask(refill)
  })

  return {
    slotOf,
    skipTo(place) {
      skippedTo = Math.max(skippedTo, place)
    },
    start: () => underWay(fill()),
    stop() {
      stopped = true
      unsubscribe()
    },
  }
}
