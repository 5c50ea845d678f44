/** Sends an exchange of a session again, by its number. */
import { pathBelow } from '../base/join-url.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { answerAgain, placeCallAgain } from '../runtime/client/resend.ts'
import {
  createRequestAnswerer,
  type RequestAnswererOptions,
} from '../runtime/server/request-answerer.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import type { Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { displayUrl } from '../traffic/redaction/display.ts'
import { resendOf, type ResentExchange } from '../traffic/resend.ts'
import type { Operator } from './operator.ts'

export interface ResendOptions {
  readonly configuration: Configuration
  readonly runtime: () => WorldRuntime
  readonly log: TrafficLog
  readonly operator: Pick<Operator, 'submit' | 'logResend'>
  /** What answers the requests to a role. */
  readonly answererOf: (role: Role) => RequestAnswererOptions
}

/** Wall time after the time-out of a call, in milliseconds: until then its outcome is there. */
const marginMs = 1000

/** The index of the further Delivery Platform that was called, from 1. */
function platformOf(
  { to, request }: Exchange,
  { counterparts }: Configuration,
): number | undefined {
  if (to.party !== 'partner') return undefined
  const { others } = counterparts['delivery-platform']
  const index = others.findIndex((url) => pathBelow(url, request.url) !== undefined)
  return index < 0 ? undefined : index + 1
}

export const createResend =
  ({ configuration, runtime, log, operator, answererOf }: ResendOptions) =>
  async (seq: number): Promise<Result<ResentExchange, Refusal>> => {
    const cannot = (because: string) =>
      refuse('CONFLICT', `#${seq} cannot be sent again: ${because}`)
    const exchange = log.get(seq)
    if (!exchange)
      return refuse(
        'NOT_FOUND',
        `#${seq} cannot be sent again: it is not in memory, which keeps the last exchanges only`,
      )
    const platform = platformOf(exchange, configuration)
    const { engine, destination } = runtime()
    const receiver = destination(exchange.to.role, platform)
    const planned = resendOf(exchange, { platform, base: receiver?.base })
    if (!planned.ok) return cannot(planned.error)
    const limitMs = configuration.conduct.answerTimeout + marginMs
    const resend = planned.value
    if (resend.kind === 'request') {
      const { method, url } = resend.request
      operator.logResend(engine, {
        seq,
        call: `${method} ${new URL(displayUrl(url)).pathname}`,
      })
      const answer = createRequestAnswerer(answererOf(exchange.to.role))
      return answerAgain(resend.request, seq, answer, limitMs)
    }
    if (!receiver)
      return cannot('your service has no URL here; start the session with --subject <url>')
    const sent = await placeCallAgain(resend.command, {
      engine,
      log,
      submit: operator.submit,
      limitMs,
    })
    return sent.ok ? sent : cannot(sent.error.message)
  }
