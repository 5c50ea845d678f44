/** The catalogue of invariants, one line each. */
import type { Invariant } from './invariant.ts'
import { oneEffectPerPurpose } from './rules/safety/one-effect-per-purpose.ts'
import { sameKeyOnRetry } from './rules/safety/same-key-on-retry.ts'
import { nothingAfterCancelled } from './rules/safety/nothing-after-cancelled.ts'
import { cancelledOrderTakesItsDeliveryAlong } from './rules/safety/cancelled-order-takes-its-delivery-along.ts'
import { noCancellationUnasked } from './rules/safety/no-cancellation-unasked.ts'
import { progressFollowsWhatIsKnown } from './rules/safety/progress-follows-what-is-known.ts'
import { readsBeforeItActs } from './rules/safety/reads-before-it-acts.ts'
import { neverBackwards } from './rules/safety/never-backwards.ts'
import { callsMatchTheOrder } from './rules/safety/calls-match-the-order.ts'
import { amountsMatchTheOrder } from './rules/safety/amounts-match-the-order.ts'
import { deliveryBeforeDispatch } from './rules/safety/delivery-before-dispatch.ts'
import { ownOrdersOnly } from './rules/safety/own-orders-only.ts'
import { resumesAfterDenial } from './rules/safety/resumes-after-denial.ts'
import { onlyCancelledCancels } from './rules/safety/only-cancelled-cancels.ts'
import { everyOrderComesToItsEnd } from './rules/convergence/every-order-comes-to-its-end.ts'
import { everyOrderIsRead } from './rules/convergence/every-order-is-read.ts'
import { lostNewsIsMadeUpFor } from './rules/convergence/lost-news-is-made-up-for.ts'
import { readingSurvivesErrors } from './rules/convergence/reading-survives-errors.ts'
import { readingRepeatsNoEffect } from './rules/convergence/reading-repeats-no-effect.ts'
import { viewsAgree } from './rules/convergence/views-agree.ts'
import { newestReadingWins } from './rules/convergence/newest-reading-wins.ts'
import { earlyCancellationIsRemembered } from './rules/convergence/early-cancellation-is-remembered.ts'
import { timesAreNoOrder } from './rules/convergence/times-are-no-order.ts'
import { wholeBacklogIsProcessed } from './rules/convergence/whole-backlog-is-processed.ts'
import { orderOfDeliveryDoesNotMatter } from './rules/convergence/order-of-delivery-does-not-matter.ts'
import { channelDoesNotMatter } from './rules/convergence/channel-does-not-matter.ts'
import { failingOrderDelaysNoOther } from './rules/convergence/failing-order-delays-no-other.ts'
import { confirmedInTime } from './rules/convergence/confirmed-in-time.ts'
import { polledEventsAreAcknowledged } from './rules/acknowledgement/polled-events-are-acknowledged.ts'
import { unusedTypesAreAcknowledged } from './rules/acknowledgement/unused-types-are-acknowledged.ts'
import { onlyDeliveredIdsAreAcknowledged } from './rules/acknowledgement/only-delivered-ids-are-acknowledged.ts'
import { acknowledgedOrdersAreRead } from './rules/acknowledgement/acknowledged-orders-are-read.ts'
import { acknowledgedByTheSecondPoll } from './rules/acknowledgement/acknowledged-by-the-second-poll.ts'
import { acknowledgmentsNameOneToAThousand } from './rules/acknowledgement/acknowledgments-name-one-to-a-thousand.ts'
import { pollingNeverStops } from './rules/polling/polling-never-stops.ts'
import { pollsKeepTheirDistance } from './rules/polling/polls-keep-their-distance.ts'
import { poisonStopsNothing } from './rules/polling/poison-stops-nothing.ts'
import { retriesDoNotStorm } from './rules/retry/retries-do-not-storm.ts'
import { retryPausesGrow } from './rules/retry/retry-pauses-grow.ts'
import { retriesComeToAnEnd } from './rules/retry/retries-come-to-an-end.ts'
import { retryAfterIsWaitedOut } from './rules/retry/retry-after-is-waited-out.ts'
import { refusalsAreNotRepeated } from './rules/retry/refusals-are-not-repeated.ts'
import { failuresAreTriedAgain } from './rules/retry/failures-are-tried-again.ts'
import { hungCallsAreAbandoned } from './rules/retry/hung-calls-are-abandoned.ts'
import { secondFailuresAreHandledToo } from './rules/retry/second-failures-are-handled-too.ts'
import { oneTokenPerRejection } from './rules/token/one-token-per-rejection.ts'
import { rejectedTokensAreDropped } from './rules/token/rejected-tokens-are-dropped.ts'
import { callsGoOnAfterANewToken } from './rules/token/calls-go-on-after-a-new-token.ts'
import { readsDoNotStorm } from './rules/rate/reads-do-not-storm.ts'
import { readsStopAfterTheEnd } from './rules/rate/reads-stop-after-the-end.ts'
import { trafficPerOrderIsBounded } from './rules/rate/traffic-per-order-is-bounded.ts'
import { webhooksAreSafeOnceAnswered } from './rules/webhook/webhooks-are-safe-once-answered.ts'
import { webhooksAreAnsweredInTime } from './rules/webhook/webhooks-are-answered-in-time.ts'
import { forgedWebhooksAreRefused } from './rules/webhook/forged-webhooks-are-refused.ts'
import { ordersCanGoOn } from './rules/hosting/orders-can-go-on.ts'
import { shownDocumentsAreWhole } from './rules/hosting/shown-documents-are-whole.ts'
import { validWebhooksAreTaken } from './rules/webhook/valid-webhooks-are-taken.ts'
import { oneEffectPerOrder } from './rules/effects/one-effect-per-order.ts'
import { confirmedOrdersHaveTheirEffect } from './rules/effects/confirmed-orders-have-their-effect.ts'
import { cancelledOrdersGetNoEffect } from './rules/effects/cancelled-orders-get-no-effect.ts'
import { refusedWebhooksAreHandledOnce } from './rules/webhook/refused-webhooks-are-handled-once.ts'

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
  amountsMatchTheOrder,
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
  confirmedInTime,
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
  validWebhooksAreTaken,
  shownDocumentsAreWhole,
  ordersCanGoOn,
  oneEffectPerOrder,
  confirmedOrdersHaveTheirEffect,
  cancelledOrdersGetNoEffect,
]
