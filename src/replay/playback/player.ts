/**
 * Plays a recording in a world: reads ahead, sends due items and reports results. Everything still to play is an
 * agenda item, so it can be edited like any other.
 */
import type { Fact } from '../../core/engine/fact.ts'
import type { ReplayedExchange, ReplayTiming } from '../../core/traffic/recording/replay-report.ts'
import { busyMs } from '../../core/runtime/clock/clock.ts'
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'
import { createFeeder, type FeederOptions } from './feeder.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { playedRow } from './playback-row.ts'
import { failedReplay } from '../minimise/judge-exchange.ts'
import { createStopwatch } from './timing.ts'

export interface PlaybackPlayerOptions
  extends
    Omit<SenderOptions, 'runtime' | 'stopwatch' | 'maxInFlight' | 'isStopped'>,
    Pick<FeederOptions, 'pace' | 'wanted' | 'awaits' | 'madeAt' | 'times'> {
  readonly runtime: WorldRuntime
}

export interface PlaybackPlayer {
  readonly start: () => void
  /** Resolves when all items are concluded, or playback was stopped. */
  readonly ended: Promise<void>
  readonly stop: () => void
  readonly timing: () => ReplayTiming | undefined
  /** Sends the exchange at this place now, apart from what is planned. */
  readonly sendAlone: (place: number) => Promise<void>
  /** Leaves out what is before this place and was not sent yet; returns how many of them were loaded. */
  readonly skipTo: (place: number) => number
}

/** Lead time before the first send, in which the first window is read. */
const startLeadMs = 50

/** Maximum number of sends in flight: the connection limit per host. */
const maxInFlight = 64

export function createPlaybackPlayer(options: PlaybackPlayerOptions): PlaybackPlayer {
  const { runtime, source, onReplayed } = options
  const { engine, underWay } = runtime
  const strict = options.pace.mode !== 'asap'
  const leadMs = strict && runtime.driver.mode() === 'real' ? startLeadMs : 0
  const stopwatch = createStopwatch({ strict, maxInFlight, busy: busyMs })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let stopped = false
  const sender = createSender({
    ...options,
    maxInFlight,
    stopwatch,
    isStopped: () => stopped,
  })
  const feeder = createFeeder({ ...options, engine, leadMs, underWay, onEnd: end })
  const copies = new Set<Promise<void>>()

  /** A dropped item is concluded as if its request had been lost. */
  function dropped(recordId: string): void {
    const { agenda, playback } = engine.world
    const row = playback.rows.get(recordId)
    if (!row || row.sent) return
    for (const { command } of agenda.byId.values())
      if (command.kind === 'playback.send' && command.recordId === recordId) return
    engine.submit({
      kind: 'playback.conclude',
      recordId,
      standing: 'noise',
      note: 'it was dropped from the agenda',
    })
  }

  async function unsent(place: number, standing: ReplayedExchange['standing'], note: string) {
    onReplayed(failedReplay(await source.read(place), standing, note), place)
  }

  function onFact(fact: Fact): void {
    switch (fact.kind) {
      case 'playback.sent': {
        const sending = sender.send(fact)
        if (fact.again) {
          copies.add(sending)
          void sending.finally(() => copies.delete(sending))
        }
        underWay(sending)
        return
      }
      case 'playback.concluded': {
        if (!fact.unsent) return
        const standing = fact.standing === 'blocked' ? 'blocked' : 'noise'
        underWay(unsent(fact.place, standing, fact.note ?? 'it was not sent'))
        return
      }
      case 'agenda.dropped':
        if (fact.command.kind === 'playback.send') {
          const { recordId } = fact.command
          queueMicrotask(() => dropped(recordId))
        }
        return
      default:
    }
  }

  /** Effects before their causes, so that none of them becomes ready on the way. */
  function skipTo(place: number): number {
    feeder.skipTo(place)
    const { agenda, playback } = engine.world
    const skipped = [...playback.rows.values()]
      .filter((row) => row.place < place && !row.sent)
      .toSorted((a, b) => b.place - a.place)
    for (const { recordId } of skipped)
      engine.submit(
        { kind: 'playback.conclude', recordId, standing: 'noise', note: 'it was left out' },
        'session',
      )
    for (const { id, command } of agenda.byId.values())
      if (command.kind === 'playback.send' && command.place < place)
        engine.submit({ kind: 'agenda.drop', id }, 'session')
    return skipped.filter(({ awaited }) => !awaited).length
  }

  const unsubscribe = engine.onFact(({ fact }) => onFact(fact))

  return {
    start: feeder.start,
    ended: ended.then(async () => void (await Promise.allSettled(copies))),
    stop() {
      stopped = true
      feeder.stop()
      unsubscribe()
      end()
    },
    timing: stopwatch.timing,
    skipTo,
    async sendAlone(place) {
      const ref = playedRow(await source.read(place), place, feeder.slotOf)
      runtime.driver.sync()
      engine.submit({ kind: 'playback.send', ...ref, at: engine.now(), alone: true })
    },
  }
}
