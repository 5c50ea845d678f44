/** What the traffic of a session says of the consent of each customer: withdrawn by us or by the service, and shown. */
import { setBounded } from '../../../engine/bounded.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { pushOperations } from '../../../engine/customer/partner.ts'
import { bodyValue, isAcceptedCall, momentsOf } from '../assertion.ts'
import type { ClauseMoment } from '../check.ts'
import { settlesMs } from '../status-life.ts'
import { endOfCall, type Observed, type ObservedEvent, startOf, type Trace } from '../trace.ts'
import { payloadOf, keysOf, recordsSent, sharedRecords } from './records.ts'

/** The latest that is known of the consent of a customer. */
interface Consent {
  readonly marketing: boolean
  /** When the customer consented or withdrew. */
  readonly at: number
  readonly event: Observed
  readonly clause: string
  /** An older consent that came after it. */
  older?: Observed
}

const maxCustomers = 500

const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN)

class ConsentLife {
  /** By each key of a customer: undefined where nothing is known for certain. */
  readonly #consents = new Map<string, Consent | undefined>()

  take(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const { exchange, isCall, request, operation } = observed
    const isCertain = exchange.fault === undefined && isAcceptedCall(observed)
    const isPush = Object.values(pushOperations.customer).some((id) => id === operation)
    for (const event of this.#eventsOf(observed, trace)) this.#hear(event, isCall || isCertain)
    if (isPush && !isCall)
      for (const record of recordsSent(request, 'customer')) {
        const isConsent = bodyValue(record, '/consent/marketing') !== false
        const at = timeOf(bodyValue(record, '/consent/updatedAt'))
        for (const key of keysOf(record)) {
          const known = this.#consents.get(key)
          const isOlder = known?.clause === 'CUS-EVR-01' && at < known.at
          if (isCertain && isConsent && isOlder) known.older = observed
          else if (isConsent || !isCertain || !this.#consents.has(key)) this.#know(key, undefined)
        }
      }
    // What it pushes may have been written before the event came.
    if (isCall || exchange.fault !== undefined) return []
    const shown = sharedRecords({ ...trace, all: [observed] }, 'customer')
    return shown.flatMap(({ record }) => this.#show(observed, record))
  }

  #know(key: string, consent: Consent | undefined): void {
    this.#consents.delete(key)
    setBounded(this.#consents, key, consent, maxCustomers)
  }

  *#eventsOf(observed: Observed, trace: Trace): Iterable<ObservedEvent> {
    if (observed.operation?.startsWith('receiveCustomer') !== true) return
    const events = observed.isCall ? trace.emitted() : trace.received()
    for (const event of events) if (event.observed === observed) yield event
  }

  #hear(event: ObservedEvent, isCertain: boolean): void {
    const { eventType = '', observed } = event
    if (eventType !== 'customer.opted_in' && eventType !== 'customer.opted_out') return
    const marketing = eventType === 'customer.opted_in'
    const at = timeOf(event.event['occurredAt'])
    const { isCall } = observed
    const clause = isCall ? (marketing ? 'CUS-EVT-05' : 'CUS-EVT-06') : 'CUS-EVR-01'
    const { customerId } = payloadOf(event)
    const own = isCall && typeof customerId === 'string' ? [`customer ${customerId}`] : []
    for (const key of [...keysOf(payloadOf(event)), ...own]) {
      const known = this.#consents.get(key)
      // The service may not know the customer of ours.
      if (!isCall && !this.#consents.has(key)) continue
      const isOlder = known !== undefined && at < known.at
      if (!isCertain || Number.isNaN(at) || known?.at === at) this.#know(key, undefined)
      else if (isOlder && known.clause === 'CUS-EVR-01' && !isCall) {
        if (marketing) known.older = observed
      } else if (isOlder) this.#know(key, undefined)
      // A consent that we report may wait for its confirmation.
      else
        this.#know(
          key,
          marketing && !isCall ? undefined : { marketing, at, event: observed, clause },
        )
    }
  }

  #show(observed: Observed, record: UnknownRecord): readonly ClauseMoment[] {
    const keys = [...keysOf(record), `customer ${String(record['id'])}`]
    const { consent } = record
    const shown = isUnknownRecord(consent) ? consent['marketing'] : undefined
    const found = keys.map((key) => this.#consents.get(key)).find(Boolean)
    for (const key of keysOf(record)) if (!this.#consents.has(key)) this.#know(key, undefined)
    if (!found || typeof shown !== 'boolean') return []
    const { marketing, at, event, clause, older } = found
    // A record is taken at some time after its 202, an event at once.
    const isRecord = older?.operation?.startsWith('receive') === false
    const olderEnd = older ? endOfCall(older) + (isRecord ? settlesMs : 0) : 0
    if (startOf(observed) < Math.max(endOfCall(event), olderEnd)) return []
    const updatedAt = timeOf(isUnknownRecord(consent) ? consent['updatedAt'] : undefined)
    // Changed again, or perhaps: the event of that may be on its way.
    const isNewer = clause === 'CUS-EVR-01' ? updatedAt > at : !(updatedAt <= at)
    if (shown !== marketing && isNewer && !older) return []
    const when = older
      ? 'after an older consent that came late'
      : clause === 'CUS-EVR-01'
        ? 'after the customer has opted out'
        : `after ${marketing ? 'customer.opted_in' : 'customer.opted_out'}`
    return [
      {
        clause,
        exchanges: [event, ...(older ? [older] : []), observed],
        problem:
          shown === marketing
            ? undefined
            : `it shows the consent to marketing as ${String(shown)} ${when}`,
      },
    ]
  }
}

/** What the traffic says of a clause about the consent of customers. */
export const ofConsentLife = momentsOf({ begin: () => new ConsentLife() })
