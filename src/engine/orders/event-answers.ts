/** What a receiver's answer to a webhook means: taken with any 2xx, tried again by the plan, or not (ORD-OPS-03). */
import { retryPauses } from '../../protocol/conduct.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import { type CallOutcome, outcomeText, succeeded } from '../calls/call.ts'
import type { Fact } from '../fact.ts'

export const readPushAnswer: AnswerReader = (call, outcome, { settings }) => {
  const { eventId, attempt, requestId } = call
  if (eventId === undefined) return []
  if (outcome.kind === 'answered' && succeeded(outcome))
    return [{ kind: 'event.pushed', eventId, attempt, status: outcome.status }]
  const last = attempt > retryPauses(settings.conduct.webhookRetry).length
  const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  const failed: Fact = {
    kind: 'event.push-failed',
    eventId,
    attempt,
    requestId,
    because: outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`,
    // Any answer but 2xx is a failure to the field's retry plans, save the ones that will never change.
    retry: !last && !isFinal(outcome),
    ...(pause === undefined ? {} : { retryAfterMs: pause }),
  }
  return failed.retry ? [failed] : [failed, { kind: 'event.given-up', eventId, attempts: attempt }]
}

/** The receiver understood the event and will not have it: sending it again cannot help. Of a forgery it had no event. */
const isFinal = (outcome: CallOutcome): boolean =>
  outcome.kind === 'answered' && !outcome.forged && [400, 422].includes(outcome.status)
