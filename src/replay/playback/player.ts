/**
 * Plays a recording in a world: reads ahead, sends due items and reports results. Everything still to play is an
 * agenda item, so it can be edited like any other.
 */
import type { Fact } from '../../core/engine/fact.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import { busyMs } from '../../core/runtime/clock/clock.ts'
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'
import { Sender, type SenderOptions } from './sender.ts'
import { failedReplay } from '../minimise/judge-exchange.ts'
import { createStopwatch, type Stopwatch } from './timing.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Instant } from '../../core/engine/instant.ts'
import {
  createPacer,
  type PlaybackPace,
  type PlaybackPacer,
} from '../../core/engine/playback/pace.ts'
import {
  type PlaybackEvent,
  type PlaybackLoadRow,
  type PlaybackRef,
  playbackWindow,
} from '../../core/engine/playback/row.ts'
import { displayUrl } from '../../core/traffic/redaction/display.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { setBounded } from '../../core/engine/bounded.ts'
import type { PlaybackSource } from './source.ts'
import { compact } from '../../core/base/compact.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import type { Operation } from '../../core/protocol/operation.ts'
import { parseJsonBody } from '../../core/runtime/client/call-outcome.ts'

/** Summarises a recorded exchange as a playback row: label, operation, event. */
const textIn = (body: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The event that a webhook carries. */
function webhookEventOf({
  operation: id,
  request: { body = '' },
  from,
  eventIds,
}: RecordedExchange): PlaybackEvent | undefined {
  const row: Operation | undefined = id && operation(id)
  if (!row?.webhook) return undefined
  const value = parseJsonBody(body)
  const eventType = textIn(value, 'eventType') ?? textIn(value, 'type')
  const eventId = eventIds?.[0] ?? textIn(value, 'eventId') ?? textIn(value, 'id')
  if (eventType === undefined || eventId === undefined) return undefined
  const merchantId = textIn(value, 'merchantId')
  return {
    eventId,
    eventType,
    from: from.role,
    ...compact({ merchantId }),
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** `slot` returns the short name of an order. */
function playedRow(
  recorded: RecordedExchange,
  place: number,
  slot: (orderId: string) => string,
): PlaybackRef {
  const { recordId, orderId, operation: id, request } = recorded
  const event = webhookEventOf(recorded)
  const what = event
    ? ['webhook', event.eventType]
    : [id ?? pathOf(displayUrl(request.url)).slice(0, 80)]
  const words = [request.method, ...what, ...(orderId === undefined ? [] : [slot(orderId)])]
  return {
    recordId,
    place,
    label: words.join(' '),
    ...compact({ orderId, operation: id, event }),
  }
}

/**
 * Tracks causes of recorded exchanges during a playback. An exchange caused by a skipped one inherits the causes of
 * that one. Bounded: evicted causes are long concluded.
 */
const maxKnown = 100_000
/** Maximum number of causes per exchange; the latest are kept. */
const maxCauses = 16

interface Known {
  readonly label: string
  /** When it ended in the recording. */
  readonly ended: number
  /** When it ended in this playback. */
  readonly done?: Instant
  readonly failed?: true
}

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

function createPlaybackCauses(pacer: PlaybackPacer) {
  const known = new Map<string, Known>()
  /** Played causes of skipped exchanges. */
  const inherited = new Map<string, readonly string[]>()

  const playedCauses = ({ causes = [] }: RecordedExchange): readonly string[] => {
    const all = causes.flatMap(({ id }) => (known.has(id) ? [id] : (inherited.get(id) ?? [])))
    return [...new Set(all)].slice(-maxCauses)
  }

  return {
    /** What a row must wait for. */
    causesOf(
      recorded: RecordedExchange,
    ): Pick<PlaybackLoadRow, 'causes' | 'notBefore' | 'blocked'> {
      let notBefore: Instant | undefined
      const open: { recordId: string; thinkMs: number }[] = []
      for (const recordId of playedCauses(recorded)) {
        const cause = known.get(recordId)
        if (!cause) continue
        if (cause.failed)
          return {
            causes: [],
            blocked: `it comes of ${cause.label}, which could not be played`,
          }
        const thinkMs = pacer.think(recorded.startedAt - cause.ended)
        if (cause.done === undefined) open.push({ recordId, thinkMs })
        else notBefore = Math.max(notBefore ?? 0, cause.done + thinkMs)
      }
      return { causes: open, ...compact({ notBefore }) }
    },
    /** Registers a played exchange with its label. */
    addPlayed(recorded: RecordedExchange, label: string) {
      setBounded(known, recorded.recordId, { label, ended: endOf(recorded) }, maxKnown)
    },
    /** Registers a skipped exchange: its effects inherit its causes. */
    addSkipped(recorded: RecordedExchange) {
      const all = playedCauses(recorded)
      if (all.length > 0) setBounded(inherited, recorded.recordId, all, maxKnown)
    },
    conclude(recordId: string, at: Instant, failed: boolean) {
      const cause = known.get(recordId)
      if (cause) known.set(recordId, { ...cause, done: at, ...(failed ? { failed } : {}) })
    },
  }
}

/** Maximum number of items in the window, copies included: one fact may plan only so many. */
const maxItems = 900
/** Rows per batch: due items are sent between batches. */
const batch = 32
const maxSlots = 50_000

/** One event loop turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface FeederOptions {
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

/**
 * Reads a recording ahead and loads it into the engine, one bounded window of rows at a time: memory does not grow
 * with its length.
 */
class Feeder {
  readonly #options: FeederOptions
  readonly #rows: Engine['world']['playback']['rows']
  readonly #window: number
  readonly #pacer: PlaybackPacer
  readonly #tracker: ReturnType<typeof createPlaybackCauses>
  readonly #slots = new Map<string, string>()
  #next = 0
  #skippedTo = 0
  #orders = 0
  #filling = false
  #stopped = false
  readonly #unsubscribe: () => void

  constructor(options: FeederOptions) {
    this.#options = options
    this.#rows = options.engine.world.playback.rows
    this.#window = Math.min(playbackWindow, Math.floor(maxItems / options.times))
    this.#pacer = createPacer(options.pace)
    this.#tracker = createPlaybackCauses(this.#pacer)
    this.#unsubscribe = options.engine.onFact(({ fact, at }) => {
      if (fact.kind !== 'playback.concluded') return
      this.#tracker.conclude(fact.recordId, at, fact.failed === true)
      // Deferred: listeners must not submit while a fact is being applied.
      queueMicrotask(() => this.#refill())
    })
  }

  /** The short name of an order. */
  slotOf(orderId: string): string {
    const known = this.#slots.get(orderId)
    if (known !== undefined) return known
    const slot = `o${++this.#orders}`
    setBounded(this.#slots, orderId, slot, maxSlots)
    return slot
  }

  /** What is before this place and was not read yet is left out. */
  skipTo(place: number): void {
    this.#skippedTo = Math.max(this.#skippedTo, place)
  }

  start(): void {
    this.#options.underWay(this.#fill())
  }

  stop(): void {
    this.#stopped = true
    this.#unsubscribe()
  }

  #rowOf(recorded: RecordedExchange, place: number): PlaybackLoadRow {
    const { leadMs, times } = this.#options
    const played = playedRow(recorded, place, (orderId) => this.slotOf(orderId))
    const row: PlaybackLoadRow = {
      ...played,
      atMs: leadMs + this.#pacer.next(recorded.startedAt),
      ...this.#tracker.causesOf(recorded),
      ...(times === 1 ? {} : { times }),
    }
    this.#tracker.addPlayed(recorded, played.label)
    return row
  }

  /** Row for an awaited call; none when it was made already. */
  #awaitedRow(recorded: RecordedExchange, place: number): readonly PlaybackLoadRow[] {
    const { recordId } = recorded
    const played = playedRow(recorded, place, (orderId) => this.slotOf(orderId))
    const { causes, blocked } = this.#tracker.causesOf(recorded)
    this.#tracker.addPlayed(recorded, played.label)
    const at = this.#options.madeAt?.(recordId)
    const why = blocked === undefined ? {} : { blocked }
    if (at === undefined) return [{ ...played, atMs: 0, causes, awaited: true, ...why }]
    this.#tracker.conclude(recordId, at, false)
    return []
  }

  /** Reads the next rows that fit in the window. */
  async #gather(): Promise<readonly PlaybackLoadRow[]> {
    const { source, wanted } = this.#options
    const gathered: PlaybackLoadRow[] = []
    while (
      !this.#stopped &&
      this.#next < source.count &&
      gathered.length < batch &&
      this.#rows.size + gathered.length < this.#window
    ) {
      const place = this.#next++
      const read = source.read(place)
      const recorded = read instanceof Promise ? await read : read
      if (place < this.#skippedTo) this.#tracker.addSkipped(recorded)
      else if (wanted(recorded)) gathered.push(this.#rowOf(recorded, place))
      else if (this.#options.awaits?.(recorded)) gathered.push(...this.#awaitedRow(recorded, place))
      else this.#tracker.addSkipped(recorded)
    }
    return gathered
  }

  async #fill(): Promise<void> {
    const { source, engine, onEnd } = this.#options
    this.#filling = true
    try {
      // Blocked rows conclude immediately and make room.
      while (!this.#stopped && this.#next < source.count && this.#rows.size < this.#window) {
        const gathered = await this.#gather()
        if (gathered.length === 0) continue
        const loaded = engine.submit({ kind: 'playback.load', rows: gathered }, 'session')
        if (!loaded.ok) throw new Error(loaded.error.message)
        await turn()
      }
    } finally {
      this.#filling = false
    }
    if (!this.#stopped && this.#rows.size === 0 && this.#next >= source.count) onEnd()
  }

  #refill(): void {
    if (this.#filling || this.#stopped) return
    if (
      this.#next < this.#options.source.count &&
      this.#rows.size <= Math.max(this.#window - batch, this.#window / 2)
    )
      this.#options.underWay(this.#fill())
    else if (this.#rows.size === 0) this.#options.onEnd()
  }
}

export interface PlaybackPlayerOptions
  extends
    Omit<SenderOptions, 'runtime' | 'stopwatch' | 'maxInFlight' | 'isStopped'>,
    Pick<FeederOptions, 'pace' | 'wanted' | 'awaits' | 'madeAt' | 'times'> {
  readonly runtime: WorldRuntime
}

/** Lead time before the first send, in which the first window is read. */
const startLeadMs = 50

/** Maximum number of sends in flight: the connection limit per host. */
const maxInFlight = 64

export class PlaybackPlayer {
  /** Resolves when all items are concluded, or playback was stopped. */
  readonly ended: Promise<void>
  readonly #options: PlaybackPlayerOptions
  readonly #engine: WorldRuntime['engine']
  readonly #stopwatch: Stopwatch
  readonly #end: () => void
  #stopped = false
  readonly #sender: Sender
  readonly #feeder: Feeder
  readonly #copies = new Set<Promise<void>>()
  readonly #unsubscribe: () => void

  constructor(options: PlaybackPlayerOptions) {
    const { runtime, pace } = options
    this.#options = options
    this.#engine = runtime.engine
    const strict = pace.mode !== 'asap'
    const leadMs = strict && runtime.driver.mode() === 'real' ? startLeadMs : 0
    this.#stopwatch = createStopwatch({ strict, maxInFlight, busy: busyMs })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#end = resolve
    this.ended = promise.then(async () => void (await Promise.allSettled(this.#copies)))
    this.#sender = new Sender({
      ...options,
      maxInFlight,
      stopwatch: this.#stopwatch,
      isStopped: () => this.#stopped,
    })
    this.#feeder = new Feeder({
      ...options,
      engine: this.#engine,
      leadMs,
      underWay: (work) => runtime.underWay(work),
      onEnd: resolve,
    })
    this.#unsubscribe = this.#engine.onFact(({ fact }) => this.#onFact(fact))
  }

  start(): void {
    this.#feeder.start()
  }

  stop(): void {
    this.#stopped = true
    this.#feeder.stop()
    this.#unsubscribe()
    this.#end()
  }

  timing(): ReturnType<Stopwatch['timing']> {
    return this.#stopwatch.timing()
  }

  /** Leaves out what is before this place and was not sent yet; returns how many of them were loaded. */
  skipTo(place: number): number {
    this.#feeder.skipTo(place)
    const { agenda, playback } = this.#engine.world
    // Effects before their causes, so that none of them becomes ready on the way.
    const skipped = [...playback.rows.values()]
      .filter((row) => row.place < place && !row.sent)
      .toSorted((a, b) => b.place - a.place)
    for (const { recordId } of skipped)
      this.#engine.submit(
        { kind: 'playback.conclude', recordId, standing: 'noise', note: 'it was left out' },
        'session',
      )
    for (const { id, command } of agenda.byId.values())
      if (command.kind === 'playback.send' && command.place < place)
        this.#engine.submit({ kind: 'agenda.drop', id }, 'session')
    return skipped.filter(({ awaited }) => !awaited).length
  }

  /** Sends the exchange at this place now, apart from what is planned. */
  async sendAlone(place: number): Promise<void> {
    const { source, runtime } = this.#options
    const slotOf = (orderId: string) => this.#feeder.slotOf(orderId)
    const ref = playedRow(await source.read(place), place, slotOf)
    runtime.driver.sync()
    this.#engine.submit({ kind: 'playback.send', ...ref, at: this.#engine.now(), alone: true })
  }

  /** A dropped item is concluded as if its request had been lost. */
  #dropped(recordId: string): void {
    const { agenda, playback } = this.#engine.world
    const row = playback.rows.get(recordId)
    if (!row || row.sent) return
    for (const { command } of agenda.byId.values())
      if (command.kind === 'playback.send' && command.recordId === recordId) return
    this.#engine.submit({
      kind: 'playback.conclude',
      recordId,
      standing: 'noise',
      note: 'it was dropped from the agenda',
    })
  }

  async #unsent(place: number, standing: ReplayedExchange['standing'], note: string) {
    const { source, onReplayed } = this.#options
    onReplayed(failedReplay(await source.read(place), standing, note), place)
  }

  #onFact(fact: Fact): void {
    switch (fact.kind) {
      case 'playback.sent': {
        const sending = this.#sender.send(fact)
        if (fact.again) {
          this.#copies.add(sending)
          void sending.finally(() => this.#copies.delete(sending))
        }
        this.#options.runtime.underWay(sending)
        return
      }
      case 'playback.concluded': {
        if (!fact.unsent) return
        const standing = fact.standing === 'blocked' ? 'blocked' : 'noise'
        this.#options.runtime.underWay(
          this.#unsent(fact.place, standing, fact.note ?? 'it was not sent'),
        )
        return
      }
      case 'agenda.dropped':
        if (fact.command.kind === 'playback.send') {
          const { recordId } = fact.command
          queueMicrotask(() => this.#dropped(recordId))
        }
        return
      default:
    }
  }
}
