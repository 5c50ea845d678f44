/** Every invariant there is, one line each. */
import type { Invariant } from './invariant.ts'
import { oneEffectPerPurpose } from './one-effect-per-purpose.ts'
import { sameKeyOnRetry } from './same-key-on-retry.ts'
import { nothingAfterCancelled } from './nothing-after-cancelled.ts'
import { cancelledOrderTakesItsDeliveryAlong } from './cancelled-order-takes-its-delivery-along.ts'
import { noCancellationUnasked } from './no-cancellation-unasked.ts'
import { progressFollowsWhatIsKnown } from './progress-follows-what-is-known.ts'
import { readsBeforeItActs } from './reads-before-it-acts.ts'
import { neverBackwards } from './never-backwards.ts'
import { callsMatchTheOrder } from './calls-match-the-order.ts'
import { deliveryBeforeDispatch } from './delivery-before-dispatch.ts'
import { ownOrdersOnly } from './own-orders-only.ts'
import { resumesAfterDenial } from './resumes-after-denial.ts'
import { onlyCancelledCancels } from './only-cancelled-cancels.ts'
import { everyOrderComesToItsEnd } from './every-order-comes-to-its-end.ts'
import { everyOrderIsRead } from './every-order-is-read.ts'
import { lostNewsIsMadeUpFor } from './lost-news-is-made-up-for.ts'
import { readingSurvivesErrors } from './reading-survives-errors.ts'
import { readingRepeatsNoEffect } from './reading-repeats-no-effect.ts'
import { viewsAgree } from './views-agree.ts'
import { newestReadingWins } from './newest-reading-wins.ts'
import { earlyCancellationIsRemembered } from './early-cancellation-is-remembered.ts'
import { timesAreNoOrder } from './times-are-no-order.ts'
import { wholeBacklogIsProcessed } from './whole-backlog-is-processed.ts'
import { orderOfDeliveryDoesNotMatter } from './order-of-delivery-does-not-matter.ts'
import { channelDoesNotMatter } from './channel-does-not-matter.ts'
import { failingOrderDelaysNoOther } from './failing-order-delays-no-other.ts'
import { polledEventsAreAcknowledged } from './polled-events-are-acknowledged.ts'
import { unusedTypesAreAcknowledged } from './unused-types-are-acknowledged.ts'
import { onlyDeliveredIdsAreAcknowledged } from './only-delivered-ids-are-acknowledged.ts'
import { acknowledgedOrdersAreRead } from './acknowledged-orders-are-read.ts'
import { acknowledgedByTheSecondPoll } from './acknowledged-by-the-second-poll.ts'
import { acknowledgmentsNameOneToAThousand } from './acknowledgments-name-one-to-a-thousand.ts'
import { pollingNeverStops } from './polling-never-stops.ts'
import { pollsKeepTheirDistance } from './polls-keep-their-distance.ts'
import { poisonStopsNothing } from './poison-stops-nothing.ts'
import { retriesDoNotStorm } from './retries-do-not-storm.ts'
import { retryPausesGrow } from './retry-pauses-grow.ts'
import { retriesComeToAnEnd } from './retries-come-to-an-end.ts'
import { retryAfterIsWaitedOut } from './retry-after-is-waited-out.ts'
import { refusalsAreNotRepeated } from './refusals-are-not-repeated.ts'
import { failuresAreTriedAgain } from './failures-are-tried-again.ts'
import { hungCallsAreAbandoned } from './hung-calls-are-abandoned.ts'
import { secondFailuresAreHandledToo } from './second-failures-are-handled-too.ts'
import { oneTokenPerRejection } from './one-token-per-rejection.ts'
import { rejectedTokensAreDropped } from './rejected-tokens-are-dropped.ts'
import { callsGoOnAfterANewToken } from './calls-go-on-after-a-new-token.ts'
import { readsDoNotStorm } from './reads-do-not-storm.ts'
import { readsStopAfterTheEnd } from './reads-stop-after-the-end.ts'
import { trafficPerOrderIsBounded } from './traffic-per-order-is-bounded.ts'
import { webhooksAreSafeOnceAnswered } from './webhooks-are-safe-once-answered.ts'
import { webhooksAreAnsweredInTime } from './webhooks-are-answered-in-time.ts'
import { forgedWebhooksAreRefused } from './forged-webhooks-are-refused.ts'
import { refusedWebhooksAreHandledOnce } from './refused-webhooks-are-handled-once.ts'

export const invariants: readonly Invariant[] = [
  oneEffectPerPurpose,
  sameKeyOnRetry,
  nothingAfterCancelled,
  cancelledOrderTakesItsDeliveryAlong,
  noCancellationUnasked,
  progressFollowsWhatIsKnown,
  readsBeforeItActs,
  neverBackwards,
  callsMatchTheOrder,
  deliveryBeforeDispatch,
  ownOrdersOnly,
  resumesAfterDenial,
  onlyCancelledCancels,
  everyOrderComesToItsEnd,
  everyOrderIsRead,
  lostNewsIsMadeUpFor,
  readingSurvivesErrors,
  readingRepeatsNoEffect,
  viewsAgree,
  newestReadingWins,
  earlyCancellationIsRemembered,
  timesAreNoOrder,
  wholeBacklogIsProcessed,
  orderOfDeliveryDoesNotMatter,
  channelDoesNotMatter,
  failingOrderDelaysNoOther,
  polledEventsAreAcknowledged,
  unusedTypesAreAcknowledged,
  onlyDeliveredIdsAreAcknowledged,
  acknowledgedOrdersAreRead,
  acknowledgedByTheSecondPoll,
  acknowledgmentsNameOneToAThousand,
  pollingNeverStops,
  pollsKeepTheirDistance,
  poisonStopsNothing,
  retriesDoNotStorm,
  retryPausesGrow,
  retriesComeToAnEnd,
  retryAfterIsWaitedOut,
  refusalsAreNotRepeated,
  failuresAreTriedAgain,
  hungCallsAreAbandoned,
  secondFailuresAreHandledToo,
  oneTokenPerRejection,
  rejectedTokensAreDropped,
  callsGoOnAfterANewToken,
  readsDoNotStorm,
  readsStopAfterTheEnd,
  trafficPerOrderIsBounded,
  webhooksAreSafeOnceAnswered,
  webhooksAreAnsweredInTime,
  forgedWebhooksAreRefused,
  refusedWebhooksAreHandledOnce,
]
