/** Sends an exchange again: plans a call of ours anew, or answers a request of the service a second time. */
import { compact } from '../../base/compact.ts'
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Command } from '../../engine/command.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import { type Refusal, refuse } from '../../engine/refusal.ts'
import { ok, type Result } from '../../protocol/result.ts'
import {
  type Exchange,
  type ExchangeRequest,
  headerValue,
  wallDurationMs,
} from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import type { ResentExchange } from '../../traffic/resend.ts'
import type { RequestAnswerer } from '../server/request-answerer.ts'
import { type ReplyWriter, sendDistorted } from '../server/send-distorted.ts'

type Outcome = Result<ResentExchange, Refusal>

const outcomeOf = (exchange: Exchange): ResentExchange => ({
  seq: exchange.seq,
  tookMs: wallDurationMs(exchange),
  ...compact({ status: exchange.reply?.status, failure: exchange.failure?.code }),
})

/** What came within the limit; nothing where a fault or a service holds it back for longer. */
function within(work: Promise<Outcome>, limitMs: number): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(ok({})), limitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface CallAgain {
  readonly engine: Pick<Engine, 'onFact'>
  readonly log: Pick<TrafficLog, 'onExchange'>
  readonly submit: (command: Command) => Promise<Result<readonly Fact[], Refusal>>
  /** Wall time in milliseconds after which the outcome is no longer waited for. */
  readonly limitMs: number
}

/** Why a command placed no call. */
function notPlacedReason(facts: readonly Fact[]): string {
  const kinds = new Set(facts.map(({ kind }) => kind))
  return kinds.has('call.postponed')
    ? 'it waits until the manifest of its receiver is valid again'
    : kinds.has('event.waiting')
      ? 'it waits until its receiver is known'
      : 'its receiver takes no webhooks'
}

const isOfCall = ({ from, to, operation, request }: Exchange, call: OutgoingCall): boolean =>
  from.role === call.from &&
  to.role === call.to &&
  operation === call.operation &&
  // A token request carries no id, and no call does where conduct.requestIds is off.
  (headerValue(request.headers, 'x-request-id') ?? call.requestId) === call.requestId

/** Submits the command of a call, and waits for the last exchange of that call. */
export async function placeCallAgain(
  command: Command,
  { engine, log, submit, limitMs }: CallAgain,
): Promise<Outcome> {
  const exchanges: Exchange[] = []
  const concluded = new Map<number, string>()
  let onConcluded = (): void => undefined
  const stops = [
    log.onExchange((exchange) => void exchanges.push(exchange)),
    engine.onFact(({ fact }) => {
      if (fact.kind !== 'call.concluded') return
      concluded.set(fact.call.id, fact.outcome)
      onConcluded()
    }),
  ]
  const ended = (call: OutgoingCall): Promise<Outcome> =>
    new Promise((resolve) => {
      onConcluded = () => {
        const outcome = concluded.get(call.id)
        if (outcome === undefined) return
        const last = exchanges.findLast((exchange) => isOfCall(exchange, call))
        resolve(last ? ok(outcomeOf(last)) : refuse('UNAVAILABLE', `it was not sent: ${outcome}`))
      }
      onConcluded()
    })
  try {
    const submitted = await submit(command)
    if (!submitted.ok) return submitted
    const placed = submitted.value.find((fact) => fact.kind === 'call.placed')
    if (!placed) return refuse('CONFLICT', notPlacedReason(submitted.value))
    return await within(ended(placed.call), limitMs)
  } finally {
    for (const stop of stops) stop()
  }
}

/** The reply to a request that an operator sends again is only logged. */
const unread: ReplyWriter = {
  clientGone: new AbortController().signal,
  sendWhole: () => Promise.resolve(),
  writeHead: () => undefined,
  writePiece: () => Promise.resolve(),
  end: () => undefined,
  abort: () => undefined,
}

/** Answers a request of the service a second time, with the headers and the body that it had. */
export function answerAgain(
  request: ExchangeRequest,
  resendOf: number,
  answer: RequestAnswerer,
  limitMs: number,
): Promise<Outcome> {
  const work = async (): Promise<Outcome> => {
    const { served, log } = await answer({
      request,
      header: (name) => headerValue(request.headers, name),
      resendOf,
    })
    const { distortion, reply } = served
    if (!distortion) return ok(outcomeOf(log()))
    return new Promise((resolve, reject) => {
      sendDistorted(reply, distortion, unread, (outcome) =>
        resolve(ok(outcomeOf(log(outcome)))),
      ).catch(reject)
    })
  }
  return within(work(), limitMs)
}
