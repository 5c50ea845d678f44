/**
 * Places calls and takes their outcomes. A table maps each operation to the reader of its answer; without a reader the
 * call just ends.
 */
import { compact } from '../../base/compact.ts'
import { operation } from '../../protocol/catalogue.ts'
import { ok } from '../../protocol/result.ts'
import { customerAnswers } from '../customer/answers.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { indoorAnswers } from '../indoor/answers.ts'
import { logisticsAnswers } from '../logistics/answers.ts'
import { readPlatformAnswer } from '../logistics/platforms.ts'
import { loyaltyAnswers } from '../loyalty/answers.ts'
import {
  readOrderAnswer,
  readPollAnswer,
  readTicketRequestAnswer,
  readPushAnswer,
} from '../orders/ticket-answers.ts'
import { ticketRequestOf } from '../orders/tickets.ts'
import { refuse } from '../refusal.ts'
import { unreadableAnswer } from './answer-reader.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { v1Answers } from '../v1/answers.ts'
import {
  type CallIntent,
  type CallOutcome,
  isSuccess,
  outcomeText,
  type OutgoingCall,
  willRetry,
} from './call.ts'
import type { CallCommand } from './commands.ts'
import { manifestFrom, placeholderManifest } from './manifest-answer.ts'
import { type AnswerReader, type AnswerReaders, callPlacedFact } from './place-call.ts'
import { type ManifestProblem, partnerOf } from '../world.ts'
import { ReceivedMerchants } from '../../protocol/auth/merchants.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { Fact } from '../fact.ts'

// Reads the answers to discovery: an integration becomes active, stays active, or is rejected with
// a reason (DIS-GEN-02). A manifest may be read again at any time and replaces the previous one.

/** A manifest is read at most once a minute and at least once a day (DIS-WKN-07). */
const minFreshMs = 60_000
const maxFreshMs = 24 * 3_600_000
/** Default without Cache-Control. */
const defaultFreshMs = 300_000

const freshFor = (outcome: CallOutcome): number => {
  const declared = outcome.kind === 'answered' ? outcome.freshForMs : undefined
  return Math.min(Math.max(declared ?? defaultFreshMs, minFreshMs), maxFreshMs)
}

const isSameManifest = (one: ParsedManifest, other: ParsedManifest | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

interface UsableManifest {
  readonly manifest: ParsedManifest
  readonly freshForMs: number
  /** Why it is the placeholder. */
  readonly missing?: string
}

/** The fact of a manifest that can be used, by what was known of the partner before. */
function usableManifestFact(
  { from, to }: OutgoingCall,
  usable: UsableManifest,
  { world }: DecisionContext,
): Fact {
  const known = partnerOf(world, from, to)
  const read = { from, partner: to, ...usable }
  const { manifest, freshForMs, missing } = usable
  if (!known?.manifest) return { kind: 'partner.accepted', ...read }
  if (known.state === 'rejected') {
    const postponed = [...world.postponed].filter((call) => call.from === from && call.to === to)
    return { kind: 'partner.restored', ...read, postponed }
  }
  return isSameManifest(manifest, known.manifest)
    ? { kind: 'partner.unchanged', from, partner: to, freshForMs, ...compact({ because: missing }) }
    : { kind: 'partner.changed', ...read }
}

/** Errors that may pass: the last valid manifest of an active partner holds until it can be read again. */
const passing: ReadonlySet<ManifestProblem> = new Set(['unreadable', 'unreachable'])

function readManifestAnswer(
  call: OutgoingCall,
  outcome: CallOutcome,
  context: DecisionContext,
): readonly Fact[] {
  const { from, to: partner, attempt } = call
  const { conduct, protocol } = context.settings
  const read = manifestFrom(outcome, protocol.supportedVersions)
  if (read.ok) {
    const usable = { manifest: read.value, freshForMs: freshFor(outcome) }
    return [usableManifestFact(call, usable, context)]
  }
  const { problem, because } = read.error
  if (problem === 'missing' && conduct.manifest === 'when-present') {
    const without = { manifest: placeholderManifest, freshForMs: minFreshMs, missing: because }
    return [usableManifestFact(call, without, context)]
  }
  const isActive = partnerOf(context.world, from, partner)?.state === 'accepted'
  return isActive && passing.has(problem)
    ? [{ kind: 'partner.unchanged', from, partner, freshForMs: minFreshMs, because }]
    : [{ kind: 'partner.rejected', from, partner, problem, because, attempt }]
}

function readMerchantsAnswer(call: OutgoingCall, outcome: CallOutcome): readonly Fact[] {
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return []
  const merchants = ReceivedMerchants.safeParse(outcome.body)
  return merchants.success
    ? [
        {
          kind: 'partner.merchants',
          from: call.from,
          partner: call.to,
          merchants: merchants.data,
        },
      ]
    : unreadableAnswer(
        call,
        outcome,
        `the merchants are invalid at ${jsonProblemText(merchants.error, outcome.body)}`,
      )
}

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

/**
 * A call about an order that has made the step since it failed, is over or is cancelled, as the Software Service knows, is not
 * made again (ORD-CAN-02): `confirm` of an order that was read as CONFIRMED.
 */
function isRetryInVain(
  { from, to, attempt, operation: id, params }: CallIntent,
  { world: { store } }: DecisionContext,
): boolean {
  if (attempt === 1 || from !== 'software-service' || to !== 'ordering-application') return false
  const ticket = store.tickets.get(params?.['orderId'] ?? '')
  const asked = ticketRequestOf(id)
  if (ticket && asked !== undefined && ticket.asked !== asked) return true
  return (ticket?.closed ?? ticket?.halted) === true && operation(id).method === 'POST'
}

export const callDecisions: Decisions<CallCommand> = {
  'partner.trust': ({ from, partner }) =>
    ok([{ kind: 'partner.accepted', from, partner, manifest: placeholderManifest }]),
  'call.place': ({ call }, context) =>
    isRetryInVain(call, context) ? ok([]) : place(call, context),
  'call.conclude'({ callId, outcome }, context) {
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
      ...(call.scopes ? [] : (readerOf(call)?.(call, outcome, context) ?? [])),
    ])
  },
}
