/**
 * Places calls and takes their outcomes. A table maps each operation to the reader of its answer; without a reader the
 * call just ends.
 */
import { compact } from '../../compact.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { ReadManifest } from '../../protocol/discovery/read.ts'
import { ok } from '../../protocol/result.ts'
import type { CallCommand } from '../command.ts'
import { customerAnswers } from '../customer/answers.ts'
import type { Context, Decision } from '../decision.ts'
import { indoorAnswers } from '../indoor/answers.ts'
import { logisticsAnswers } from '../logistics/answers.ts'
import { readPlatformAnswer } from '../logistics/platforms.ts'
import { loyaltyAnswers } from '../loyalty/answers.ts'
import { readAskedAnswer, readOrderAnswer, readPollAnswer } from '../orders/ticket-answers.ts'
import { readPushAnswer } from '../orders/event-answers.ts'
import { refuse } from '../refusal.ts'
import { v1Answers } from '../v1/answers.ts'
import { type Call, type CallIntent, outcomeText, succeeded, willRetry } from './call.ts'
import { type AnswerReader, type AnswerReaders, placed } from './place-call.ts'
import { readManifestAnswer, readMerchantsAnswer } from './partner-answers.ts'
import { partnerOf } from '../world.ts'

const answerReaders: AnswerReaders = {
  getManifest: readManifestAnswer,
  listMerchants: readMerchantsAnswer,
  pollingEvents: readPollAnswer,
  getOrder: readOrderAnswer,
  confirmOrder: readAskedAnswer,
  setOrderPreparing: readAskedAnswer,
  setOrderReadyForPickup: readAskedAnswer,
  dispatchOrder: readAskedAnswer,
  setOrderDelivered: readAskedAnswer,
  requestCancellation: readAskedAnswer,
  cancelOrderItem: readAskedAnswer,
  ...indoorAnswers,
  ...logisticsAnswers,
  ...customerAnswers,
  ...loyaltyAnswers,
  ...v1Answers,
}

/** All webhooks share one reader; the manifest of a further platform is read by the delivery consumer. */
function readerOf({ eventId, operation: id, platform }: Call): AnswerReader | undefined {
  if (platform !== undefined && id === 'getManifest') return readPlatformAnswer
  return eventId === undefined ? answerReaders[id] : readPushAnswer
}

/** Placeholder manifest of a counterpart that is trusted without one. */
const placeholderManifest: ReadManifest = {
  participantId: 'trusted',
  version: '',
  versions: [],
  grantTypes: [],
  credentialModels: [],
  capabilities: {},
}

/**
 * Places a call, unless its receiver's manifest was valid once and is invalid now: then it is postponed until the
 * manifest is valid again (DIS-GEN-02).
 */
function place(call: CallIntent, context: Context): Decision {
  const { capability } = operation(call.operation)
  const partner = partnerOf(context.world, call.from, call.to)
  const isExempt =
    capability === 'discovery' || capability === 'auth' || call.platform !== undefined
  const isInvalid = partner?.state === 'rejected' && partner.manifest !== undefined
  return ok([!isExempt && isInvalid ? { kind: 'call.postponed', call } : placed(call, context)])
}

export function decideCall(command: CallCommand, context: Context): Decision {
  if (command.kind === 'partner.trust')
    return ok([{ ...command, kind: 'partner.accepted', manifest: placeholderManifest }])
  if (command.kind === 'call.place') return place(command.call, context)
  const call = context.world.calls.get(command.callId)
  if (!call) return refuse('NOT_FOUND', `no call ${command.callId} is under way`)
  const { outcome } = command
  const retryAfterMs = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  return ok([
    {
      kind: 'call.concluded',
      call,
      outcome: outcomeText(outcome),
      ok: succeeded(outcome),
      retry: willRetry(call, outcome),
      ...compact({ retryAfterMs }),
    },
    ...(readerOf(call)?.(call, outcome, context) ?? []),
  ])
}
