/**
 * Counts what the service does once per order inside (subject.effects): after a distorted message about an order, or its cancellation, has
 * settled, and when it is judged. An observation, which the journal does not know.
 */
import type { Instant } from '../engine/instant.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type {
  EffectCount,
  ObservedEffects,
  TrackedOrder,
} from '../rules/invariants/tracking/tracker-state.ts'
import type { Judge } from '../rules/invariants/judge/judge.ts'
import type { Destination } from '../runtime/client/destinations.ts'
import { probe } from '../runtime/client/probe-order.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import type { Role } from '../protocol/role.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { EffectSource } from '../session-api/configuration/effects.ts'
import { maxReplicas } from '../session-api/configuration/subject.ts'
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

const maxQuoted = 80

/** The last line of what was printed or answered. */
function quoted(text: string): string {
  const line = displayText(text.trim().split('\n').at(-1)?.trim() ?? '')
  return line === '' ? 'nothing' : `"${line.slice(0, maxQuoted)}"`
}

/** No process answered. */
class Unanswered extends Error {}

/** JSON of the answer of the first process that answers; 0 for a 404. Throws a sentence. */
async function askPath(
  path: string,
  [target, ...others]: readonly Destination[],
  orderId: string,
): Promise<unknown> {
  if (!target) throw new Error(`GET ${path} has no address: subject.url is not set`)
  const answered = await probe(target, path, orderId).catch((error: unknown) => {
    if (others.length > 0) return undefined
    throw new Unanswered(
      `GET ${path} failed: ${error instanceof Error ? error.message : String(error)}`,
    )
  })
  if (!answered) return askPath(path, others, orderId)
  const { status, body } = answered
  if (status === 404) return 0
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`)
  const answer = tryParseJson(body)
  if (isUnknownRecord(answer) || typeof answer === 'number') return answer
  throw new Error(`GET ${path} answered ${quoted(body ?? '')}, and not {"tickets": 1} or a number`)
}

/** What the command printed. Throws a sentence. */
async function askCommand(
  command: string,
  run: CommandRunner | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (!run) throw new Error('nothing runs commands here: give openSession a runCommand, or a path')
  const { code, stdout, output } = await run(command, environment)
  if (code === undefined) throw new Error(`the command did not end in time: ${quoted(output)}`)
  if (code !== 0) throw new Error(`the command ended with ${code}: ${quoted(output)}`)
  if (/^\d{1,9}$/.test(stdout.trim())) return Number(stdout)
  throw new Error(`the command printed ${quoted(stdout)}, and not a number`)
}

export interface EffectCounterOptions {
  readonly configuration: () => Pick<Configuration, 'tolerances'>
  /** The service. */
  readonly role: Role
  readonly sources: readonly EffectSource[]
  readonly judge: Judge
  readonly runtime: WorldRuntime
  readonly log: Pick<TrafficLog, 'onExchange'>
  readonly runCommand: CommandRunner | undefined
  readonly onWarning: (text: string) => void
}

/** Orders asked about at once, and those of one judgement, newest first: a service must not be flooded. */
const maxAtOnce = 4
const maxAsked = 1000
/** An order is not asked about twice within this time of the session. */
const minGapMs = 1000

const isComplete = ({ counts, failures }: ObservedEffects): boolean =>
  Object.keys(failures).length === 0 && counts.every(({ count }) => count > 0)

export class EffectCounter {
  readonly #options: EffectCounterOptions
  /** When orders are to be asked about. */
  readonly #due = new Map<string, Instant>()
  readonly #stops: readonly (() => void)[]
  #next = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** We have ended the process of the service, or one of them. */
  #isStartedAgain = false

  constructor(options: EffectCounterOptions) {
    this.#options = options
    this.#stops = [
      options.runtime.engine.onFact(({ fact, at }) => {
        if (fact.kind === 'session.subject-ended') this.#isStartedAgain = true
        else if (fact.kind === 'fault.fired' && fact.orderId !== undefined)
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

  /** Asks about all orders, or only about those that were never asked about or lack an effect. */
  async ask(which: 'all' | 'lacking'): Promise<void> {
    const { orders, now } = this.#options.judge.tracker
    const isWanted = ({ effects }: TrackedOrder): boolean =>
      which === 'all' || !effects || (!isComplete(effects) && now - effects.at >= minGapMs)
    await this.#askAbout(orders.values().filter(isWanted).slice(-maxAsked), true)
  }

  /** What was counted last of an order. */
  of(orderId: string): ObservedEffects | undefined {
    return this.#options.judge.tracker.orders.get(orderId)?.effects
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }

  /** A message about an order was distorted, or came while it is to be asked about: it has time from here on. */
  #mark(orderId: string, from: Instant): void {
    const due = from + this.#options.configuration().tolerances.grace + 1
    this.#due.set(orderId, due)
    if (due < this.#next) this.#arm(due)
  }

  #arm(next: Instant): void {
    const { driver } = this.#options.runtime
    this.#next = next
    clearTimeout(this.#timer)
    // On other clocks the next fact comes at its time.
    if (driver.mode() !== 'real' || next === Number.POSITIVE_INFINITY) return
    const waitMs = Math.max(0, (next - driver.at()) / driver.speed())
    this.#timer = setTimeout(() => this.#askDue(driver.at()), waitMs)
    this.#timer.unref()
  }

  #askDue(now: Instant): void {
    const ripe = [...this.#due].flatMap(([orderId, due]) => (due <= now ? [{ orderId }] : []))
    for (const { orderId } of ripe) this.#due.delete(orderId)
    this.#arm(Math.min(...this.#due.values()))
    if (ripe.length > 0) this.#options.runtime.underWay(this.#askAbout(ripe, false))
  }

  async #askAbout(
    orders: readonly { readonly orderId: string }[],
    isForVerdict: boolean,
  ): Promise<void> {
    for (let from = 0; from < orders.length; from += maxAtOnce)
      await Promise.all(
        orders
          .slice(from, from + maxAtOnce)
          .map(({ orderId }) => this.#count(orderId, isForVerdict)),
      )
  }

  async #count(orderId: string, isForVerdict: boolean): Promise<void> {
    const { sources, judge, role, runtime, runCommand, onWarning } = this.#options
    const { engine, destination } = runtime
    const at = judge.tracker.now
    const displayId = engine.world.ordering.orders.get(orderId)?.order.displayId ?? ''
    const processes = Array.from({ length: maxReplicas }, (_, turn) => turn)
      .flatMap((turn) => destination(role, undefined, turn) ?? [])
      .filter(({ base }, nth, all) => all.findIndex((each) => each.base === base) === nth)
    const counts: EffectCount[] = []
    const failures: Record<string, string> = {}
    for (const { path, command = '', kinds } of sources)
      try {
        const answer =
          path === undefined
            ? await askCommand(command, runCommand, {
                SPARRING_ORDER_ID: orderId,
                SPARRING_DISPLAY_ID: displayId,
                SPARRING_EFFECT: kinds[0]?.kind ?? '',
              })
            : await askPath(path, processes, orderId)
        const found = kinds.map(({ kind, ...options }) => {
          const count = isUnknownRecord(answer) ? (answer[kind] ?? 0) : answer
          if (Number.isInteger(count) && Number(count) >= 0)
            return { kind, count: Number(count), ...options }
          throw new Error(`GET ${path} says ${kind}: ${quoted(JSON.stringify(count))}`)
        })
        counts.push(...found)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        for (const { kind } of kinds) {
          failures[kind] = error.message
          // A process that is being started again cannot say yet: it is asked once more for the verdict.
          if (isForVerdict || !this.#isStartedAgain || !(error instanceof Unanswered))
            onWarning(`subject.effects.${kind}: ${error.message}`)
        }
      }
    judge.effects({ orderId, at, counts, failures })
    // What it lacks at a verdict has time to come about, and only another answer shows that it did not (EF-2).
    if (isForVerdict && counts.some(({ count }) => count === 0))
      this.#mark(orderId, at + this.#options.configuration().tolerances.converge)
  }
}
