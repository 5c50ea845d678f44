/** By which channel and faults each defect of the demo service shows; a defect without a row shows by itself. */
import type { DefectName } from '../../demo/defects.ts'

interface Exposure {
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly faults?: readonly string[]
}

/** The service cannot read the order of which it has just heard that it is confirmed. */
const failsOnce = 'fail:operation=getOrder,nth=3'

export const exposures: Readonly<Partial<Record<DefectName, Exposure>>> = {
  'forgets-event-ids': { faults: ['duplicate-late:event=CONFIRMED'] },
  'checks-then-acts': { channel: 'webhook', faults: ['duplicate:event=CONFIRMED'] },
  'prints-before-it-fails': { channel: 'webhook', faults: [failsOnce] },
  'dedupes-before-handling': { channel: 'webhook', faults: [failsOnce] },
  'prints-by-event-alone': { faults: ['drop:event=CONFIRMED'] },
  'trusts-webhook-status': { channel: 'webhook' },
  'follows-events': { faults: ['batch:as=backlog,of=8,atMost=30s'] },
  'counts-events': { faults: ['reorder:event=CONFIRMED'] },
  'global-watermark': { faults: ['reorder:event=CREATED'] },
  'never-resumes': { faults: ['refuse:operation=confirmOrder'] },
  'takes-request-for-cancelled': { faults: ['refuse:operation=confirmOrder'] },
  'acks-only-new-events': { faults: ['duplicate-late:event=CONFIRMED'] },
  'acks-known-types-only': { faults: ['unknown-event:percent=50'] },
  'chokes-on-unknown-types': { faults: ['unknown-event:percent=50'] },
  'poll-dies-on-error': { faults: ['fail:percent=30'] },
  'no-poll-timeout': { faults: ['hang:percent=10'] },
  'ignores-signature': { channel: 'webhook', faults: ['wrong-signature'] },
  'signature-optional': { channel: 'webhook', faults: ['storm'] },
  'answers-before-storing': { channel: 'webhook', faults: ['rate-limit:percent=30,by=5s'] },
  'reads-local-times-as-utc': { faults: ['odd-order:sample=scheduled-in-local-time'] },
  'webhook-waits-for-order': {
    channel: 'webhook',
    faults: ['fail:operation=getOrder,percent=50'],
  },
  'webhook-reads-first': { channel: 'webhook', faults: ['rate-limit:percent=30,by=5s'] },
  'remembers-before-checking': { channel: 'webhook' },
  'acts-before-checking': { channel: 'webhook', faults: ['wrong-signature'] },
  'refuses-known-events': { channel: 'webhook', faults: ['duplicate-late:event=CONFIRMED'] },
  'fails-on-late-events': { channel: 'webhook', faults: ['reorder:event=CONFIRMED'] },
  'never-reconciles': { faults: ['drop:event=CONFIRMED'] },
  'reconciles-only-created': { faults: ['refuse:operation=confirmOrder'] },
  'reconcile-reapplies': { faults: ['reorder:event=CONFIRMED'] },
}
