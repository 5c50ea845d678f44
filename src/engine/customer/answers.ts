/** What the answers to our calls of Customer mean. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { outcomeText, succeeded, willRetry } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import { fellBackFrom } from './fallback.ts'
import { pulls, pushes } from './partner.ts'
import { readPullAnswer } from './pull.ts'
import { queued } from './share.ts'
import { applicationSide } from './side.ts'

/**
 * A push was taken, or its records are known already: 202 and 409 come to the same (CUS-TEN-06). A body says nothing
 * (CUS-PAY-01).
 */
const readPushed: AnswerReader = (call, outcome, context) => {
  const { requestId } = call
  const sending = context.world.customer.underWay.get(requestId)
  if (!sending || willRetry(call, outcome)) return []
  const fellBack = fellBackFrom(call, outcome, applicationSide, context)
  const known = outcome.kind === 'answered' && outcome.status === 409
  const answered = {
    kind: 'relation.answered',
    requestId,
    sending,
    outcome: succeeded(outcome) ? 'taken' : known ? 'known' : 'refused',
    ...(succeeded(outcome) || known ? {} : { because: outcomeText(outcome) }),
  } as const
  if (fellBack.length === 0) return [answered]
  const { entity, ids } = sending
  return [
    answered,
    ...fellBack,
    ...queued(
      ids.map((id) => ({ kind: 'record', entity, id })),
      context,
    ),
  ]
}

const kinds = Object.keys(pushes) as readonly RecordKind[]

export const customerAnswers: AnswerReaders = Object.fromEntries(
  kinds.flatMap((kind) => [
    [pushes[kind].flow, readPushed],
    [pushes[kind].binding, readPushed],
    [pulls[kind].flow, readPullAnswer],
    [pulls[kind].binding, readPullAnswer],
  ]),
)
