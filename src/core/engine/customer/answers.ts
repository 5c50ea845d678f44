/** Readers of the answers to our Customer calls. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { outcomeText, isSuccess, willRetry } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import { fallbackFacts } from './fallback.ts'
import { pullOperations, pushOperations } from './partner.ts'
import { readPullAnswer } from './pull.ts'
import { enqueueEntries } from './announce-changes.ts'
import { applicationSide } from './side.ts'

/**
 * The answer to a push: 202 (accepted) and 409 (duplicate) both count as success (CUS-TEN-06). The body is ignored
 * (CUS-PAY-01).
 */
const readPushAnswer: AnswerReader = (call, outcome, context) => {
  const { requestId } = call
  const sending = context.world.customer.pushesInFlight.get(requestId)
  if (!sending || willRetry(call, outcome)) return []
  const fallback = fallbackFacts(call, outcome, applicationSide, context)
  const isDuplicate = outcome.kind === 'answered' && outcome.status === 409
  const answered = {
    kind: 'relation.answered',
    requestId,
    sending,
    outcome: isSuccess(outcome) ? 'taken' : isDuplicate ? 'known' : 'refused',
    ...(isSuccess(outcome) || isDuplicate ? {} : { because: outcomeText(outcome) }),
  } as const
  if (fallback.length === 0) return [answered]
  const { entity, ids } = sending
  return [
    answered,
    ...fallback,
    ...enqueueEntries(
      ids.map((id) => ({ kind: 'record', entity, id })),
      context,
    ),
  ]
}

const kinds = Object.keys(pushOperations) as readonly RecordKind[]

export const customerAnswers: AnswerReaders = Object.fromEntries(
  kinds.flatMap((kind) => [
    [pushOperations[kind].flow, readPushAnswer],
    [pushOperations[kind].binding, readPushAnswer],
    [pullOperations[kind].flow, readPullAnswer],
    [pullOperations[kind].binding, readPullAnswer],
  ]),
)
