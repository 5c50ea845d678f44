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
import { createCausality } from './causality.ts'
import { readTraceContext, type TraceContext, traceHeaders } from './trace-context.ts'

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
  /** The request of a call with its trace context, and its span; undefined for one that was composed with a context by hand. */
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
