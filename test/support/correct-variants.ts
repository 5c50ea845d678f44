/**
 * Services that are right by the clauses and differ from the reference in what no clause demands: a slower pace, a
 * backoff without end, an acknowledgment that is left to the next poll, a look before a second request to cancel.
 */
import type { Pace } from '../../src/demo/pace.ts'
import type { Wire } from './in-process-harness.ts'

export interface CorrectVariant {
  readonly pace?: Partial<Pace>
  /** Made anew for each run: it may remember what it saw. */
  readonly wire?: () => Wire
  readonly answersAsksAtOnce?: true
}

const accepted = (): Response => new Response(null, { status: 202 })

/** An acknowledgment without an answer is not repeated until a poll brings the event again (ORD-OPS-02). */
function leavesAcknowledgmentsToPolls(): Wire {
  const sent = new Set<string>()
  return async (request, next) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/events:polling')) {
      const answer = await next(request)
      const text = await answer.clone().text()
      for (const id of sent) if (text.includes(id)) sent.delete(id)
      return answer
    }
    if (!pathname.endsWith('/events/acknowledgment')) return next(request)
    const { eventIds } = (await request.clone().json()) as { readonly eventIds: readonly string[] }
    if (eventIds.every((id) => sent.has(id))) return accepted()
    for (const id of eventIds) sent.add(id)
    return next(request)
  }
}

/** Before a second request to cancel it reads the order, and leaves it at that when CANCELLED is there (ORD-EVR-01). */
function looksBeforeItAsksAgain(): Wire {
  const asked = new Set<string>()
  return async (request, next) => {
    const { url } = request
    if (!url.endsWith('/requestCancellation')) return next(request)
    if (asked.has(url)) {
      const authorization = request.headers.get('authorization') ?? ''
      const order = url.slice(0, url.lastIndexOf('/'))
      const answer = await next(new Request(order, { headers: { authorization } }))
      const { status } = (await answer.json()) as { readonly status?: string }
      if (status === 'CANCELLED' || status === 'CONCLUDED') return accepted()
    }
    asked.add(url)
    return next(request)
  }
}

/** The request to cancel waits in a queue for a while. */
const asksToCancelLater = (): Wire => async (request, next, clock) => {
  if (request.url.endsWith('/requestCancellation')) await clock.sleep(3000)
  return next(request)
}

export const correctVariants = {
  'is slow': {
    pace: {
      pollMs: 20_000,
      reconcileMs: 60_000,
      thinkMs: 8000,
      timeoutMs: 30_000,
      retryMs: 8000,
    },
  },
  'tries again without end, with growing pauses': { pace: { attempts: Number.POSITIVE_INFINITY } },
  'leaves an acknowledgment to the next poll': { wire: leavesAcknowledgmentsToPolls },
  'is quick': {
    pace: { pollMs: 600, reconcileMs: 5000, thinkMs: 50, timeoutMs: 3000, retryMs: 500 },
  },
  'asks to cancel a while after it was told to': {
    wire: asksToCancelLater,
    answersAsksAtOnce: true,
  },
  'looks before it asks to cancel again': { wire: looksBeforeItAsksAgain },
} as const satisfies Readonly<Record<string, CorrectVariant>>
