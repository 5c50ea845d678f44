/**
 * Gives every exchange of a world its span: a request to one of our hosts continues the trace that it came with, and a call
 * of ours that of the request that it follows from. Ids come from the seed.
 */
import { type Chance, createChance } from '../../engine/chance.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Exchange, SpanIds } from '../../traffic/exchange.ts'
import { compact } from '../../base/compact.ts'
import type { Host } from '../server/host.ts'
import type { OutboundRequest } from '../server/messages.ts'
import { setBounded } from '../../engine/bounded.ts'
import type { JournalEntry } from '../../engine/journal.ts'

/** W3C trace context: `traceparent` and `tracestate` of a request, and its `baggage`, read and written. */
interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits in lower case: the span that what follows is a child of. */
  readonly spanId: string
  /** Whether its spans are exported: the sampling decision of the service that began the trace. */
  readonly sampled: boolean
  /** Passed on as they came. */
  readonly tracestate?: string
  readonly baggage?: string
}

/** Version, trace id, parent id, flags; a version after 00 may have more behind them. */
const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const isZero = (digits: string): boolean => /^0+$/.test(digits)

/** Longer ones are not passed on; W3C asks for 512 characters of `tracestate` and 8192 of `baggage` at least. */
const maxTracestateChars = 512
const maxBaggageChars = 8192

const within = (text: string | undefined, maxChars: number): string | undefined =>
  text === undefined || text === '' || text.length > maxChars ? undefined : text

/** The trace context of a request; undefined where it has none, or an invalid one, which begins a new trace. */
export function readTraceContext(
  header: (name: string) => string | undefined,
): TraceContext | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', more] =
    traceparentForm.exec(header('traceparent')?.trim() ?? '') ?? []
  const isValid = version !== '' && version !== 'ff' && (version !== '00' || more === undefined)
  if (!isValid || isZero(traceId) || isZero(spanId)) return undefined
  const tracestate = within(header('tracestate'), maxTracestateChars)
  const baggage = within(header('baggage'), maxBaggageChars)
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags, 16) & 1) === 1,
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(baggage === undefined ? {} : { baggage }),
  }
}

/** The headers that pass a trace context on. */
export const traceHeaders = ({
  traceId,
  spanId,
  sampled,
  tracestate,
  baggage,
}: TraceContext): Readonly<Record<string, string>> => ({
  traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
  ...(tracestate === undefined ? {} : { tracestate }),
  ...(baggage === undefined ? {} : { baggage }),
})

/**
 * Follows trace contexts through a world: from the request that a fact came from to the agenda items, events and calls
 * that follow from it. It watches facts from outside, so a world is the same with and without it.
 */
interface Causality {
  /** Notes where a fact came from. */
  readonly fact: (entry: JournalEntry) => void
  /** Does work whose facts follow from this context; from none when it is undefined. */
  readonly during: <Value>(context: TraceContext | undefined, work: () => Value) => Value
  /** What a call follows from: for a webhook what its event follows from. */
  readonly ofCall: (
    callId: number | undefined,
    eventId: string | undefined,
  ) => TraceContext | undefined
  readonly ofEvent: (eventId: string) => TraceContext | undefined
}

/**
 * Maximum number of contexts of each kind: as many facts as the journal keeps, and events and items that may wait long.
 */
const maxFacts = 20_000
const maxOthers = 50_000

function createCausality(): Causality {
  const byFact = new Map<number, TraceContext>()
  const byItem = new Map<number, TraceContext>()
  const byCall = new Map<number, TraceContext>()
  const byEvent = new Map<string, TraceContext>()
  let current: TraceContext | undefined

  function put<Key>(map: Map<Key, TraceContext>, key: Key, context: TraceContext | undefined) {
    if (context) setBounded(map, key, context, maxOthers)
  }

  /** The context of a fact, where it is noted under anything but its number. */
  function contextOf({ fact, cause }: JournalEntry): TraceContext | undefined {
    const from = cause > 0 ? byFact.get(cause) : current
    switch (fact.kind) {
      case 'agenda.planned': {
        const { id, background, copyOf } = fact.item
        // An endless loop, such as polling, follows from nothing: else it were one endless trace.
        if (!background) put(byItem, id, copyOf === undefined ? from : byItem.get(copyOf))
        return from
      }
      case 'agenda.taken': {
        const planned = byItem.get(fact.id)
        byItem.delete(fact.id)
        return planned
      }
      case 'agenda.dropped':
        byItem.delete(fact.id)
        return from
      case 'call.placed':
        put(byCall, fact.call.id, from)
        return from
      case 'call.concluded':
        byCall.delete(fact.call.id)
        return from
      case 'event.emitted':
      case 'event.announced':
        put(byEvent, fact.event.eventId, from)
        return from
      default:
        return from
    }
  }

  return {
    fact(entry) {
      const context = contextOf(entry)
      if (context) setBounded(byFact, entry.seq, context, maxFacts)
    },
    during(context, work) {
      const before = current
      current = context
      try {
        return work()
      } finally {
        current = before
      }
    },
    ofCall: (callId, eventId) =>
      (eventId === undefined ? undefined : byEvent.get(eventId)) ??
      (callId === undefined ? undefined : byCall.get(callId)),
    ofEvent: (eventId) => byEvent.get(eventId),
  }
}

/** The members of a call that its span needs. */
export interface TracedCall {
  readonly id?: number
  readonly eventId?: string
}

export interface WorldTracer {
  /** The engine, whose facts about the answer of a call follow from that call. */
  readonly tracedEngine: (engine: Engine) => Engine
  /** The host, whose answers have a span. */
  readonly tracedHost: (host: Host) => Host
  /**
   * The request of a call with its trace context, and its span; undefined for one that was composed with a context by
   * hand.
   */
  readonly startCall: (
    call: TracedCall,
    request: OutboundRequest,
  ) => { readonly request: OutboundRequest; readonly trace: SpanIds } | undefined
  /** Takes an exchange between two of our roles as its caller saw it: the traffic log has it as its receiver did. */
  readonly callerSaw: (exchange: Exchange) => void
}

export interface WorldTracerOptions {
  readonly seed: number
  /** Number of the world in its session, from 1: another one has other ids. */
  readonly world: number
  readonly callerSaw: (exchange: Exchange) => void
}

const hexWord = (chance: Chance): string =>
  chance
    .below(2 ** 32)
    .toString(16)
    .padStart(8, '0')

function hexDigits(chance: Chance, words: number): string {
  const digits = Array.from({ length: words }, () => hexWord(chance)).join('')
  // All zeros means none.
  return /[1-9a-f]/.test(digits) ? digits : `${digits.slice(1)}1`
}

/** Maximum number of links of a span. */
const maxLinks = 64

export function createWorldTracer({ seed, world, callerSaw }: WorldTracerOptions): WorldTracer {
  const root = createChance(seed, world === 1 ? 'tracing' : `tracing/${world}`)
  const served = root.fork('served')
  const others = root.fork('calls')
  const causality = createCausality()
  /** Contexts of calls in flight that began a trace, by call. */
  const begun = new Map<number, TraceContext>()
  /** Exchanges of each call in flight: a request is repeated with a renewed token. */
  const repeats = new Map<number, number>()

  function childOf(parent: TraceContext | undefined, chance: Chance): TraceContext {
    const { tracestate, baggage } = parent ?? {}
    return {
      traceId: parent?.traceId ?? hexDigits(chance, 4),
      spanId: hexDigits(chance, 2),
      sampled: parent?.sampled ?? true,
      ...compact({ tracestate, baggage }),
    }
  }

  const spanIds = (
    kind: SpanIds['kind'],
    { traceId, spanId, sampled, tracestate }: TraceContext,
    parent: TraceContext | undefined,
  ): SpanIds => ({
    kind,
    traceId,
    spanId,
    sampled,
    ...compact({ parentSpanId: parent?.spanId, tracestate }),
  })

  /** The draws of one exchange do not depend on the order of others that are under way with it. */
  function chanceOf({ id }: TracedCall): Chance {
    if (id === undefined) return others
    const before = repeats.get(id) ?? 0
    repeats.set(id, before + 1)
    return root.fork(before === 0 ? `call/${id}` : `call/${id}/${before}`)
  }

  /** A poll is answered with events of many causes, which one parent cannot say. */
  const linksTo = (eventIds: readonly string[]): Pick<SpanIds, 'links'> => {
    const contexts = eventIds.flatMap((eventId) => causality.ofEvent(eventId) ?? [])
    const links = contexts.slice(0, maxLinks).map(({ traceId, spanId }) => ({ traceId, spanId }))
    return links.length === 0 ? {} : { links }
  }

  return {
    tracedEngine(engine) {
      engine.onFact(causality.fact)
      return {
        ...engine,
        submit(command, by) {
          if (command.kind !== 'call.conclude') return engine.submit(command, by)
          const { callId } = command
          const call = engine.world.calls.get(callId)
          // What follows from an answer is a sibling of the call, or a child of one that began the trace.
          const context = causality.ofCall(callId, call?.eventId) ?? begun.get(callId)
          begun.delete(callId)
          repeats.delete(callId)
          return causality.during(context, () => engine.submit(command, by))
        },
      }
    },
    tracedHost: (host) => ({
      ...host,
      answer(request) {
        const parent = readTraceContext(request.header)
        const context = childOf(parent, served)
        const answered = causality.during(context, () => host.answer(request))
        const links = linksTo(answered.reply.about?.eventIds ?? [])
        return { ...answered, trace: { ...spanIds('server', context, parent), ...links } }
      },
    }),
    startCall(call, request) {
      if (Object.keys(request.headers).some((name) => name.toLowerCase() === 'traceparent'))
        return undefined
      const parent = causality.ofCall(call.id, call.eventId)
      const context = childOf(parent, chanceOf(call))
      if (!parent && call.id !== undefined) begun.set(call.id, context)
      return {
        request: { ...request, headers: { ...request.headers, ...traceHeaders(context) } },
        trace: spanIds('client', context, parent),
      }
    },
    callerSaw,
  }
}
