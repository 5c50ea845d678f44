/** Reads the answer to a webhook: accepted with any 2xx, retried by the retry plan, or abandoned (ORD-OPS-03). */
import { compact } from '../../base/compact.ts'
import { webhookRetryPausesMs } from '../../protocol/conduct.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import { failureReason } from '../calls/answer-reader.ts'
import { type CallOutcome, isSuccess } from '../calls/call.ts'
import type { Fact } from '../fact.ts'

export const readPushAnswer: AnswerReader = (call, outcome, { settings }) => {
  const { eventId, attempt, requestId } = call
  if (eventId === undefined) return []
  if (outcome.kind === 'answered' && isSuccess(outcome))
    return [{ kind: 'event.pushed', eventId, attempt, status: outcome.status }]
  const last = attempt > webhookRetryPausesMs(settings.conduct.webhookRetry).length
  const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  const failed: Fact = {
    kind: 'event.push-failed',
    eventId,
    attempt,
    requestId,
    because: failureReason(outcome),
    // Retry plans in the field treat every answer but 2xx as a failure; final ones are not retried.
    retry: !last && !isFinal(outcome),
    ...compact({ retryAfterMs: pause }),
  }
  return failed.retry ? [failed] : [failed, { kind: 'event.given-up', eventId, attempts: attempt }]
}

/** The receiver rejected the event for good: sending it again cannot help. The answer to a forgery does not count. */
const isFinal = (outcome: CallOutcome): boolean =>
  outcome.kind === 'answered' && !outcome.forged && [400, 422].includes(outcome.status)
