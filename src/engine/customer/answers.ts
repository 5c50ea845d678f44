/** Readers of the answers to our Customer calls. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { outcomeText, succeeded, willRetry } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import { fellBackFrom } from './fallback.ts'
import { pulls, pushes } from './partner.ts'
import { readPullAnswer } from './pull.ts'
import { queued } from './share.ts'
import { applicationSide } from './side.ts'

/**
 * The answer to a push: 202 (accepted) and 409 (duplicate) both count as success (CUS-TEN-06). The body is ignored
 * (CUS-PAY-01).
 */
const readPushAnswer: AnswerReader = (call, outcome, context) => {
  const { requestId } = call
  const sending = context.world.customer.underWay.get(requestId)
  if (!sending || willRetry(call, outcome)) return []
  const fallback = fellBackFrom(call, outcome, applicationSide, context)
  const isDuplicate = outcome.kind === 'answered' && outcome.status === 409
  const answered = {
    kind: 'relation.answered',
    requestId,
    sending,
    outcome: succeeded(outcome) ? 'taken' : isDuplicate ? 'known' : 'refused',
    ...(succeeded(outcome) || isDuplicate ? {} : { because: outcomeText(outcome) }),
  } as const
  if (fallback.length === 0) return [answered]
  const { entity, ids } = sending
  return [
    answered,
    ...fallback,
    ...queued(
      ids.map((id) => ({ kind: 'record', entity, id })),
      context,
    ),
  ]
}

const kinds = Object.keys(pushes) as readonly RecordKind[]

export const customerAnswers: AnswerReaders = Object.fromEntries(
  kinds.flatMap((kind) => [
    [pushes[kind].flow, readPushAnswer],
    [pushes[kind].binding, readPushAnswer],
    [pulls[kind].flow, readPullAnswer],
    [pulls[kind].binding, readPullAnswer],
  ]),
)
