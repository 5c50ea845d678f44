/** Fault profiles: named combinations of faults that occur together in the field, as data. */

export interface FaultProfile {
  /** One sentence: where it occurs. */
  readonly summary: string
  /** Entries as in `faults:` of the configuration. */
  readonly faults: readonly unknown[]
}

export const faultProfiles: Readonly<Record<string, FaultProfile>> = {
  'flaky-network': {
    summary: 'a bad network: connections are reset, hang, or are slow, in both directions',
    faults: [
      { reset: { percent: 6, effect: 'before' } },
      { reset: { percent: 4, effect: 'after' } },
      { hang: { percent: 2, effect: 'after' } },
      { truncate: { percent: 4 } },
      { 'slow-response': { percent: 10 } },
      { 'drop-response': { percent: 6 } },
    ],
  },
  'peak-hour': {
    summary:
      'the busiest hour of the week: the partner is slow, says so with 503 and 429, and catches up late',
    faults: [
      { 'slow-effect': { percent: 40, by: '8s' } },
      { delay: { percent: 30, by: '10s' } },
      { fail: { percent: 10, status: 503, burst: 3 } },
      { 'rate-limit': { percent: 8, by: '5s' } },
      { reorder: { percent: 15, k: 1 } },
      { 'slow-response': { percent: 15 } },
    ],
  },
  'impatient-webhooks': {
    summary:
      'a partner with short timeouts: it sends webhooks again that were accepted, early and late',
    faults: [
      { duplicate: { percent: 30, channel: 'webhook' } },
      { 'duplicate-late': { percent: 20, channel: 'webhook', when: 'later-events', k: 2 } },
      { 'drop-response': { percent: 20, how: 'reset' } },
    ],
  },
  'forgotten-acks': {
    summary: 'acknowledgments are forgotten: events are polled again, in another order',
    faults: [
      { 'ack-lag': { percent: 50, polls: 3 } },
      { 'duplicate-late': { percent: 20, channel: 'polling' } },
      { batch: { percent: 30, as: 'shuffle' } },
    ],
  },
  'slow-partner': {
    summary: 'a slow partner: 202 at once, the effect and the event much later',
    faults: [{ 'slow-effect': { percent: 100, by: '12s' } }, { delay: { percent: 50, by: '20s' } }],
  },
  'token-outages': {
    summary: 'the identity service is unstable: tokens expire early, and token requests fail',
    faults: [
      { unauthorized: { percent: 15, revoke: true } },
      { 'token-outage': { percent: 40, burst: 3 } },
    ],
  },
  'out-of-order': {
    summary:
      'a partner with several queues: later events overtake earlier ones, and clocks disagree',
    faults: [
      { reorder: { percent: 30, k: 1 } },
      { reorder: { percent: 10, k: 2 } },
      { batch: { percent: 30, as: 'reverse' } },
      { 'contradictory-time': { percent: 25 } },
    ],
  },
  'dual-channels': {
    summary:
      'a partner that changes from polling to webhooks and sends by both for a while, twice to be sure',
    faults: [
      { 'both-channels': { percent: 100, first: 'webhook' } },
      { duplicate: { percent: 25 } },
      { 'duplicate-late': { percent: 15, when: 'order-ended' } },
    ],
  },
  'stale-reads': {
    summary: 'replies to GET are slow: the status in them is outdated when they arrive',
    faults: [
      { 'slow-response': { percent: 60, operation: 'getOrder' } },
      { 'slow-effect': { percent: 30, by: '5s', trigger: ['preparing', 'ready-for-pickup'] } },
    ],
  },
  'failing-order': {
    summary: 'the calls of one order fail permanently, those of all others succeed',
    faults: [{ fail: { order: 'o1', operation: ['confirmOrder', 'getOrder'], status: 500 } }],
  },
  'rate-limited': {
    summary:
      'a partner that has just lowered its limits: 429 everywhere, with and without Retry-After',
    faults: [
      { 'rate-limit': { percent: 20, retry: 'seconds', by: '3s' } },
      { 'rate-limit': { percent: 10, retry: 'date', by: '5s' } },
      { 'rate-limit': { percent: 5, retry: 'absent' } },
    ],
  },
  'last-minute-cancel': {
    summary: 'late cancellations: CANCELLED is delivered out of order, twice, or not at all',
    faults: [
      { reorder: { event: 'CANCELLED', percent: 60, k: 1, atMost: '20s' } },
      { duplicate: { event: 'CANCELLED', percent: 60 } },
      { drop: { event: 'CANCELLED', percent: 20 } },
      {
        delay: {
          event: ['CANCELLATION_REQUEST_ACCEPTED', 'CANCELLATION_REQUEST_DENIED'],
          by: '8s',
        },
      },
    ],
  },
  'lost-webhooks': {
    summary: 'webhooks are lost: only reading the order again shows what changed',
    faults: [{ drop: { percent: 20 } }, { 'drop-then-deliver': { percent: 15 } }],
  },
  'next-version': {
    summary:
      'the partner has rolled out its next version: types, fields and shapes that were not announced',
    faults: [
      { 'unknown-event': { percent: 25 } },
      { 'unknown-field': { percent: 40 } },
      { 'unusual-response': { percent: 20, how: 'fields' } },
      { 'unusual-response': { percent: 20, how: 'chunked' } },
    ],
  },
  'after-outage': {
    summary: 'the partner comes back from an outage: everything that waited is delivered at once',
    faults: [
      { batch: { as: 'backlog', of: 8, atMost: '30s' } },
      { fail: { percent: 10, status: 502, burst: 2 } },
      { delay: { percent: 30, by: '15s', channel: 'webhook' } },
    ],
  },
  'second-app': {
    summary:
      "the manager's phone is an app of the same store: it takes events, and confirms or cancels orders first",
    faults: [
      { ghost: { does: 'confirms', percent: 40 } },
      { ghost: { does: 'confirms', before: 'call', percent: 40 } },
      { ghost: { does: 'cancels', percent: 5 } },
      { ghost: { does: 'acknowledges', percent: 30, leaves: 'revealing' } },
    ],
  },
}
