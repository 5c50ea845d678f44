/**
 * Placing a call and taking its outcome. What an answer means depends on the operation, so a table says who reads it;
 * an operation that stands in none simply ends.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { ReadManifest } from '../../protocol/discovery/read.ts'
import { ok } from '../../protocol/result.ts'
import type { CallCommand } from '../command.ts'
import type { Context, Decision } from '../decision.ts'
import { readAskedAnswer, readOrderAnswer, readPollAnswer } from '../orders/ticket-answers.ts'
import { readPushAnswer } from '../orders/event-answers.ts'
import { refuse } from '../refusal.ts'
import { outcomeText, succeeded, willRetry } from './call.ts'
import { type AnswerReader, placed } from './place.ts'
import { readManifestAnswer, readMerchantsAnswer } from './partner-answers.ts'

const readers: Partial<Record<OperationId, AnswerReader>> = {
  getManifest: readManifestAnswer,
  listMerchants: readMerchantsAnswer,
  pollingEvents: readPollAnswer,
  getOrder: readOrderAnswer,
  receiveOrderEvent: readPushAnswer,
  confirmOrder: readAskedAnswer,
  setOrderPreparing: readAskedAnswer,
  setOrderReadyForPickup: readAskedAnswer,
  dispatchOrder: readAskedAnswer,
  setOrderDelivered: readAskedAnswer,
  requestCancellation: readAskedAnswer,
  cancelOrderItem: readAskedAnswer,
}

/** What stands for the manifest of a counterpart that is trusted without one. */
const unread: ReadManifest = {
  participantId: 'trusted',
  version: '',
  versions: [],
  grantTypes: [],
  credentialModels: [],
  capabilities: {},
}

export function decideCall(command: CallCommand, context: Context): Decision {
  if (command.kind === 'partner.trust')
    return ok([{ ...command, kind: 'partner.accepted', manifest: unread }])
  if (command.kind === 'call.place') return ok([placed(command.call, context)])
  const call = context.world.calls.get(command.callId)
  if (!call) return refuse('NOT_FOUND', `no call ${command.callId} is under way`)
  const { outcome } = command
  const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  return ok([
    {
      kind: 'call.concluded',
      call,
      outcome: outcomeText(outcome),
      ok: succeeded(outcome),
      retry: willRetry(call, outcome),
      ...(pause === undefined ? {} : { retryAfterMs: pause }),
    },
    ...(readers[call.operation]?.(call, outcome, context) ?? []),
  ])
}
