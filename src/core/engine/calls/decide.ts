/**
 * Places calls and takes their outcomes. A table maps each operation to the reader of its answer; without a reader the
 * call just ends.
 */
import { compact } from '../../base/compact.ts'
import { operation } from '../../protocol/catalogue.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import { customerAnswers } from '../customer/answers.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { indoorAnswers } from '../indoor/answers.ts'
import { logisticsAnswers } from '../logistics/answers.ts'
import { readPlatformAnswer } from '../logistics/platforms.ts'
import { loyaltyAnswers } from '../loyalty/answers.ts'
import {
  readTicketRequestAnswer,
  readOrderAnswer,
  readPollAnswer,
} from '../orders/ticket-answers.ts'
import { readPushAnswer } from '../orders/event-answers.ts'
import { refuse } from '../refusal.ts'
import { v1Answers } from '../v1/answers.ts'
import { type OutgoingCall, type CallIntent, outcomeText, isSuccess, willRetry } from './call.ts'
import type { CallCommand } from './commands.ts'
import { placeholderManifest } from './manifest-answer.ts'
import { type AnswerReader, type AnswerReaders, callPlacedFact } from './place-call.ts'
import { readManifestAnswer, readMerchantsAnswer } from './partner-answers.ts'
import { partnerOf } from '../world.ts'

const answerReaders: AnswerReaders = {
  getManifest: readManifestAnswer,
  listMerchants: readMerchantsAnswer,
  pollingEvents: readPollAnswer,
  getOrder: readOrderAnswer,
  confirmOrder: readTicketRequestAnswer,
  setOrderPreparing: readTicketRequestAnswer,
  setOrderReadyForPickup: readTicketRequestAnswer,
  dispatchOrder: readTicketRequestAnswer,
  setOrderDelivered: readTicketRequestAnswer,
  requestCancellation: readTicketRequestAnswer,
  cancelOrderItem: readTicketRequestAnswer,
  ...indoorAnswers,
  ...logisticsAnswers,
  ...customerAnswers,
  ...loyaltyAnswers,
  ...v1Answers,
}

/** All webhooks share one reader; the manifest of a further platform is read by the delivery consumer. */
function readerOf({ eventId, operation: id, platform }: OutgoingCall): AnswerReader | undefined {
  if (platform !== undefined && id === 'getManifest') return readPlatformAnswer
  return eventId === undefined ? answerReaders[id] : readPushAnswer
}

/**
 * Places a call, unless its receiver's manifest was valid once and is invalid now: then it is postponed until the
 * manifest is valid again (DIS-GEN-02).
 */
function place(call: CallIntent, context: DecisionContext): Decision {
  const { capability } = operation(call.operation)
  const partner = partnerOf(context.world, call.from, call.to)
  const isExempt =
    capability === 'discovery' || capability === 'auth' || call.platform !== undefined
  const isInvalid = partner?.state === 'rejected' && partner.manifest !== undefined
  return ok([
    !isExempt && isInvalid ? { kind: 'call.postponed', call } : callPlacedFact(call, context),
  ])
}

function conclude(
  { callId, outcome }: CommandOf<'call.conclude'>,
  context: DecisionContext,
): Decision {
  const call = context.world.calls.get(callId)
  if (!call) return refuse('NOT_FOUND', `no call ${callId} is under way`)
  const retryAfterMs = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  return ok([
    {
      kind: 'call.concluded',
      call,
      outcome: outcomeText(outcome),
      ok: isSuccess(outcome),
      retry: willRetry(call, outcome),
      ...compact({ retryAfterMs }),
    },
    ...(readerOf(call)?.(call, outcome, context) ?? []),
  ])
}

export const callDecisions: Decisions<CallCommand> = {
  'partner.trust': ({ from, partner }) =>
    ok([{ kind: 'partner.accepted', from, partner, manifest: placeholderManifest }]),
  'call.place': ({ call }, context) => place(call, context),
  'call.conclude': conclude,
}
