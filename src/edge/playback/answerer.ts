/**
 * Answers a service from a recording: each of its calls is found there by what it is about and what was changed before,
 * and gets the recorded reply in the names and times of now. What came of each is told, as of what is sent.
 */
import type { Instant } from '../../engine/instant.ts'
import type { Role } from '../../protocol/role.ts'
import type { Binding } from '../../traffic/correlation/binding.ts'
import type { Difference } from '../../traffic/difference/difference.ts'
import type { Exchange, HeaderPairs, Party } from '../../traffic/exchange.ts'
import { isOfTheHost } from '../../traffic/matching/answerable.ts'
import { isPoll } from '../../traffic/matching/entity-versions.ts'
import type { Found, Ladder } from '../../traffic/matching/matcher.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Rung } from '../../traffic/matching/match-strategy.ts'
import type { Replayed } from '../../traffic/replay/status.ts'
import type { Answering } from '../server/responder.ts'
import type { Incoming, Outgoing } from '../server/messages.ts'
import type { Route } from '../server/routes.ts'
import { answerOf, unknownAnswer } from './recorded-answer.ts'
import { judge } from './judge-exchange.ts'

/** What is answered to a call that the recording does not know: by our state machine, or in this way. */
export type OnMiss = 'synth' | ((live: Exchange, request: Incoming) => Outgoing | undefined)

export interface AnswererOptions {
  /** What the recording is called. */
  readonly recording: string
  readonly ladder: Ladder
  readonly binding: Binding
  /** The role of the service that is answered. */
  readonly subject: Role
  /** What a shift is of: which order, for instance. */
  readonly entities: (exchange: Exchange) => readonly string[]
  readonly now: () => Instant
  /** The recording's times count from here, in milliseconds since 1970. */
  readonly t0: number
  readonly base: (host: Role) => string
  /** An exchange of the recording, and where it stands there. */
  readonly known: (
    recordId: string,
  ) => { readonly recorded: RecordedExchange; readonly place: number } | undefined
  /** Whether the service names something in its request that nobody has named before. */
  readonly mints: (recordId: string) => boolean
  readonly onMiss?: OnMiss | undefined
  /** For calls that the host itself turned away: what differs from the recording. */
  readonly compare: (recorded: RecordedExchange, renamed: Exchange) => readonly Difference[]
  readonly onReplayed: (replayed: Replayed, place: number) => void
  /** A poll that brought nothing, and so is told of nowhere else. */
  readonly onIdle: () => void
  /** Calls of the recording that have been made now. */
  readonly onMade: (recorded: RecordedExchange) => void
}

export interface Answerer {
  readonly answering: Answering
  /** Every exchange that ends: what the host answered without us is told as well. */
  readonly heard: (exchange: Exchange) => void
  /** One goes out now of those that we send. */
  readonly sent: (recorded: RecordedExchange, intended: Instant) => void
  /** Requests of the service so far, of any kind. */
  readonly calls: () => number
  /** Those that brought the recording on: not idle polls, nor anything once more. */
  readonly progress: () => number
  /** Tells of what nobody asked for, but for what was told of already. */
  readonly tellUnused: (isTold: (recordId: string) => boolean) => void
}

/** Headers of a request that mean anything to what it is compared with, or names anything. */
const told = [
  'content-type',
  'x-request-id',
  'x-correlation-id',
  'idempotency-key',
  'x-idempotency-key',
  'x-app-id',
  'x-app-merchantid',
] as const

function headersOf({ header }: Incoming): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (const name of told) {
    const value = header(name)
    if (value !== undefined) pairs.push([name, value])
  }
  return pairs
}

/** A host's refusal is its own: to be told who somebody is comes before what they want. */
const ofAccess: ReadonlySet<number> = new Set([401, 429])

export function createAnswerer(options: AnswererOptions): Answerer {
  const { ladder, binding, subject, entities, now, t0, onMiss, onReplayed } = options
  const from: Party = { role: subject, party: 'subject' }
  /** How far the times of an order are moved: what it says of itself must not change from answer to answer. */
  const shifts = new Map<string, number>()
  /** Calls that were asked here, and whose exchanges are still to be heard. */
  const open = new Map<string, ((ended: Exchange) => void)[]>()
  let begin: Instant | undefined
  let count = 0
  let calls = 0
  let progress = 0
  let lastPlace = -1

  const began = (): Instant => (begin ??= now())

  function shiftOf(recorded: RecordedExchange, at: Instant): number {
    const about = entities(recorded)
    for (const entity of about) {
      const known = shifts.get(entity)
      if (known !== undefined) return known
    }
    const shift = Math.round(at - recorded.startedAt)
    for (const entity of about) shifts.set(entity, shift)
    return shift
  }

  function liveOf(request: Incoming, { row, params }: Route, host: Role): Exchange {
    const { orderId } = params
    return {
      seq: ++count,
      startedAt: now(),
      tookMs: 0,
      from,
      to: { role: host, party: 'sparring' },
      operation: row.id,
      params,
      ...(orderId === undefined ? {} : { orderId }),
      request: {
        method: request.method,
        url: `${options.base(host)}${request.target}`,
        headers: headersOf(request),
        ...(request.body === '' ? {} : { body: request.body }),
      },
    }
  }

  function tell(replayed: Replayed): void {
    const { recorded } = replayed
    if (recorded) lastPlace = options.known(recorded.recordId)?.place ?? lastPlace
    onReplayed(replayed, recorded ? lastPlace : lastPlace + 0.5)
  }

  function made({ completed }: Found): void {
    for (const each of completed) {
      progress++
      options.onMade(each)
    }
  }

  const because = ({ because: said, explanation }: Found): { readonly because?: string } => {
    const text = said ?? explanation?.help
    return text === undefined ? {} : { because: text }
  }

  function missed(live: Exchange, found: Found, request: Incoming): Outgoing | undefined {
    const row = (rung: Rung, reply?: Exchange['reply']): void =>
      tell({
        standing: 'extra',
        live: { ...live, ...(reply ? { reply } : {}) },
        differences: [],
        rung,
        ...because(found),
      })
    if (onMiss === 'synth') {
      awaitEnd(live, ({ reply }) => row('synth', reply))
      return undefined
    }
    const answer =
      onMiss?.(live, request) ?? unknownAnswer(live, options.recording, found.explanation)
    row('miss', replied(answer))
    awaitEnd(live)
    return answer
  }

  /** The exchange that this call becomes is known already, or is told of when it ends. */
  function awaitEnd(
    { request }: Exchange,
    then: (ended: Exchange) => void = () => undefined,
  ): void {
    const key = `${request.method} ${request.url}`
    const others = open.get(key)
    if (others) others.push(then)
    else open.set(key, [then])
  }

  const replied = ({ status, headers, body }: Outgoing): NonNullable<Exchange['reply']> => ({
    status,
    headers: Object.entries(headers),
    ...(body === undefined ? {} : { body }),
  })

  function answered(live: Exchange, found: Found, recorded: RecordedExchange): Outgoing {
    const shift = shiftOf(recorded, live.startedAt)
    let conflicts = options.mints(recorded.recordId) ? binding.learn(recorded, live) : []
    let reply = binding.reply(recorded, shift)
    if (!reply.ok) {
      // The call in which it should have been named first was never made.
      conflicts = binding.learn(recorded, live)
      reply = binding.reply(recorded, shift)
    }
    const { rung, differences, renamed } = found
    if (!reply.ok) {
      const why = reply.error.because
      tell({ standing: 'unresolved', recorded, live, differences, rung, because: why })
      const explanation = { candidates: [], help: why }
      return unknownAnswer(live, options.recording, explanation)
    }
    const answer = answerOf(recorded, reply.value, binding)
    const whole = { ...live, reply: replied(answer) }
    const { standing, because: trouble } = judge({ recorded, live: whole, differences, conflicts })
    tell({
      standing: standing === 'same' && rung === 'ahead' ? 'noise' : standing,
      recorded,
      live: whole,
      renamed: recorded.reply ? { ...renamed, reply: recorded.reply } : renamed,
      differences,
      rung,
      ...because(found),
      ...(trouble === undefined ? {} : { because: trouble }),
    })
    return answer
  }

  function idle(recorded: RecordedExchange | undefined): Outgoing | undefined {
    options.onIdle()
    // The state machine knows what a poll without news is answered, and may have some of its own.
    if (!recorded || onMiss === 'synth') return undefined
    const given = binding.reply(recorded, 0)
    return given.ok ? answerOf(recorded, given.value, binding) : undefined
  }

  /** A call that the host turned away before we were asked; it may have been turned away in the recording as well. */
  function refused(exchange: Exchange): void {
    const at = now()
    const found = ladder.find(exchange, at - began(), began() - t0)
    const { recorded, rung, renamed, idle: nothing } = found
    if (nothing) return options.onIdle()
    made(found)
    if (!recorded)
      return tell({ standing: 'extra', live: exchange, differences: [], rung, ...because(found) })
    const live = binding.renamed(exchange, shiftOf(recorded, at))
    const differences = options.compare(recorded, live)
    const judged = judge({ recorded, live: exchange, differences, conflicts: [] })
    tell({ ...judged, recorded, live: exchange, renamed, differences, rung })
  }

  return {
    answering(request, route, host, caller) {
      if (isOfTheHost({ operation: route.row.id })) return undefined
      if (caller !== undefined && caller !== subject) return undefined
      const live = liveOf(request, route, host)
      const found = ladder.find(live, live.startedAt - began(), began() - t0)
      if (found.idle) {
        awaitEnd(live)
        return idle(found.recorded)
      }
      made(found)
      if (!found.recorded) return missed(live, found, request)
      awaitEnd(live)
      return answered(live, found, found.recorded)
    },
    heard(exchange) {
      if (exchange.from.role !== subject || exchange.to.party !== 'sparring') return
      calls++
      const key = `${exchange.request.method} ${exchange.request.url}`
      const waiting = open.get(key)
      const then = waiting?.shift()
      if (waiting?.length === 0) open.delete(key)
      if (then) return then(exchange)
      const { operation, reply } = exchange
      if (operation === undefined || isOfTheHost(exchange) || !reply) return
      if (reply.status >= 400 && reply.status < 500 && !ofAccess.has(reply.status))
        refused(exchange)
    },
    sent(recorded, intended) {
      const at = now()
      shiftOf(recorded, intended)
      ladder.sent(recorded, at - began())
    },
    calls: () => calls,
    progress: () => progress,
    tellUnused(isTold) {
      for (const recordId of ladder.unused()) {
        const known = isTold(recordId) ? undefined : options.known(recordId)
        if (!known) continue
        const { recorded, place } = known
        const why = isPoll(recorded.operation)
          ? 'your service did not poll for it'
          : 'your service did not make this call'
        onReplayed({ standing: 'missing', recorded, differences: [], because: why }, place)
      }
    },
  }
}
