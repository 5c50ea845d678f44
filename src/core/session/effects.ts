/**
 * Counts what the service does once per order inside (subject.effects): after a distorted message about an order, or its cancellation, has
 * settled, and when it is judged. An observation, which the journal does not know.
 */
import type { Engine } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type { EffectCount, ObservedEffects } from '../rules/invariants/tracking/tracker-state.ts'
import type { Judge } from '../rules/invariants/judge/judge.ts'
import type { Destination } from '../runtime/client/destinations.ts'
import { probe } from '../runtime/client/probe-order.ts'
import type { ClockDriver } from '../runtime/clock/clock-driver.ts'
import type { EffectSource } from '../session-api/configuration/effects.ts'
import type { OrderEffects } from '../session-api/session-api.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { tryParseJson } from '../traffic/json/try-parse-json.ts'
import { displayText } from '../traffic/redaction/display.ts'

export interface EndedCommand {
  /** Undefined where it did not end by itself. */
  readonly code: number | undefined
  readonly stdout: string
  /** With what it wrote to stderr. */
  readonly output: string
}

/** Runs a command of the shell to its end, or to a time limit. */
export type CommandRunner = (
  command: string,
  environment: Readonly<Record<string, string>>,
) => Promise<EndedCommand>

type Answer = { readonly counts: ReadonlyMap<string, number> } | { readonly why: string }

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

const maxQuoted = 80

const quoted = (text: string): string => {
  const line = displayText(text.trim().split('\n').at(-1)?.trim() ?? '')
  return line === '' ? 'nothing' : `"${line.slice(0, maxQuoted)}"`
}

async function askPath(
  { path, kinds }: Extract<EffectSource, { path: string }>,
  target: Destination | undefined,
  orderId: string,
): Promise<Answer> {
  if (!target) return { why: `GET ${path} has no address: subject.url is not set` }
  const asked = await probe(target, path, orderId).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : String(error),
  }))
  if ('why' in asked) return { why: `GET ${path} failed: ${asked.why}` }
  const { status, body } = asked
  const answer = status === 404 ? 0 : tryParseJson(body)
  if (status !== 404 && status !== 200) return { why: `GET ${path} answered ${status}` }
  const counts = new Map<string, number>()
  for (const { name } of kinds) {
    const value = isUnknownRecord(answer) ? (answer[name] ?? 0) : answer
    if (!isCount(value))
      return {
        why: `GET ${path} answered ${quoted(body ?? '')}, and not {"${name}": 1} or a number`,
      }
    counts.set(name, value)
  }
  return { counts }
}

async function askCommand(
  { command, kinds: [kind] }: Extract<EffectSource, { command: string }>,
  run: CommandRunner | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<Answer> {
  const name = kind?.name ?? ''
  if (!run) return { why: 'nothing runs commands here: give openSession a runCommand, or a path' }
  const { code, stdout, output } = await run(command, { ...environment, SPARRING_EFFECT: name })
  if (code === undefined) return { why: `the command did not end in time: ${quoted(output)}` }
  if (code !== 0) return { why: `the command ended with ${code}: ${quoted(output)}` }
  const text = stdout.trim()
  return /^\d{1,9}$/.test(text)
    ? { counts: new Map([[name, Number(text)]]) }
    : { why: `the command printed ${quoted(stdout)}, and not a number` }
}

export interface EffectCounterOptions {
  readonly sources: readonly EffectSource[]
  readonly judge: Judge
  readonly engine: Engine
  readonly driver: Pick<ClockDriver, 'mode' | 'speed' | 'at'>
  readonly log: Pick<TrafficLog, 'onExchange'>
  /** How long the service has after the last message about an order, in ms. */
  readonly settleMs: () => number
  readonly target: () => Destination | undefined
  readonly runCommand: CommandRunner | undefined
  /** Time does not pass while it is under way. */
  readonly underWay: (work: Promise<unknown>) => void
  readonly onWarning: (text: string) => void
}

/** An order that is to be asked about. */
interface DueOrder {
  readonly due: Instant
  /** However much comes in, it is asked about by then. */
  readonly latest: Instant
}

/** Orders asked about at once, and those of one judgement, newest first: a service must not be flooded. */
const maxAtOnce = 4
const maxAsked = 1000
/** So many times the time to settle, an order that is never quiet is asked about. */
const maxSettles = 5
/** An order is not asked about twice within this time of the session. */
const minGapMs = 1000

export class EffectCounter {
  readonly #options: EffectCounterOptions
  readonly #due = new Map<string, DueOrder>()
  readonly #asking = new Map<string, Promise<void>>()
  readonly #stops: readonly (() => void)[]
  #next = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: EffectCounterOptions) {
    this.#options = options
    this.#stops = [
      options.engine.onFact(({ fact, at }) => {
        if (fact.kind === 'fault.fired' && fact.orderId !== undefined)
          this.#mark(fact.orderId, at + (fact.distortion?.afterMs ?? 0))
        else if (fact.kind === 'order.moved' && fact.to === 'CANCELLED')
          this.#mark(fact.orderId, at)
        if (at >= this.#next) this.#askDue(at)
      }),
      options.log.onExchange(({ orderId }, { ended }) => {
        if (orderId !== undefined && this.#due.has(orderId)) this.#mark(orderId, ended)
      }),
    ]
  }

  /** Asks about all orders. */
  async askAll(): Promise<void> {
    await this.#ask(this.#orderIds().slice(-maxAsked))
  }

  /** Asks about those that were never asked about, or that lack an effect. */
  async askLacking(): Promise<void> {
    const { orders, now } = this.#options.judge.tracker
    const isLacking = (orderId: string): boolean => {
      const effects = orders.get(orderId)?.effects
      if (!effects) return true
      const isComplete =
        effects.failures.size === 0 && effects.counts.every(({ count }) => count > 0)
      return !isComplete && now - effects.at >= minGapMs
    }
    await this.#ask(this.#orderIds().filter(isLacking).slice(-maxAsked))
  }

  /** What was counted last of an order. */
  of(orderId: string): OrderEffects | undefined {
    const effects = this.#options.judge.tracker.orders.get(orderId)?.effects
    if (!effects) return undefined
    const { at, counts, failures } = effects
    return {
      at,
      counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
      ...(failures.size > 0 ? { failures: Object.fromEntries(failures) } : {}),
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }

  #orderIds(): readonly string[] {
    return this.#options.judge.tracker.orders.values().map(({ orderId }) => orderId)
  }

  /** A message about an order was distorted, or came while it is to be asked about: it has time from here on. */
  #mark(orderId: string, from: Instant): void {
    const settleMs = this.#options.settleMs()
    const known = this.#due.get(orderId)
    const latest = known?.latest ?? from + maxSettles * settleMs
    const due = Math.min(from + settleMs, latest)
    this.#due.set(orderId, { due, latest })
    if (due < this.#next) this.#arm(due)
  }

  #arm(next: Instant): void {
    const { driver } = this.#options
    this.#next = next
    clearTimeout(this.#timer)
    if (driver.mode() !== 'real' || next === Number.POSITIVE_INFINITY) return
    // On other clocks the next fact comes at its time.
    const waitMs = Math.max(0, (next - driver.at()) / driver.speed())
    this.#timer = setTimeout(() => this.#askDue(driver.at()), waitMs)
    this.#timer.unref()
  }

  #askDue(now: Instant): void {
    const ripe = [...this.#due].flatMap(([orderId, { due }]) => (due <= now ? [orderId] : []))
    for (const orderId of ripe) this.#due.delete(orderId)
    this.#arm(Math.min(...Array.from(this.#due.values(), ({ due }) => due)))
    if (ripe.length > 0) this.#options.underWay(this.#ask(ripe))
  }

  async #ask(orderIds: readonly string[]): Promise<void> {
    for (let from = 0; from < orderIds.length; from += maxAtOnce)
      await Promise.all(orderIds.slice(from, from + maxAtOnce).map((each) => this.#askOnce(each)))
  }

  #askOnce(orderId: string): Promise<void> {
    const asking = this.#asking.get(orderId)
    if (asking) return asking
    const asked = this.#count(orderId).finally(() => this.#asking.delete(orderId))
    this.#asking.set(orderId, asked)
    return asked
  }

  async #count(orderId: string): Promise<void> {
    const { sources, judge, engine, target, runCommand, onWarning } = this.#options
    const at = judge.tracker.now
    const displayId = engine.world.ordering.orders.get(orderId)?.order.displayId ?? ''
    const environment = { SPARRING_ORDER_ID: orderId, SPARRING_DISPLAY_ID: displayId }
    const counts: EffectCount[] = []
    const failures = new Map<string, string>()
    const add = ({ kinds }: EffectSource, answer: Answer): void => {
      for (const { name, ...kind } of kinds)
        if ('why' in answer) {
          failures.set(name, answer.why)
          onWarning(`subject.effects.${name}: ${answer.why}`)
        } else counts.push({ kind: name, count: answer.counts.get(name) ?? 0, ...kind })
    }
    for (const source of sources)
      add(
        source,
        'path' in source
          ? await askPath(source, target(), orderId)
          : await askCommand(source, runCommand, environment),
      )
    const observed: ObservedEffects = { orderId, at, counts, failures }
    judge.effects(observed)
  }
}
