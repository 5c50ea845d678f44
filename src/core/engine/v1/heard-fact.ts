/** V1 events at our Software Service, stored in addition to the ordinary facts. */
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { OrderEvent } from '../../protocol/orders/event.ts'
import type { Fact } from '../fact.ts'
import type { Settings } from '../settings.ts'

/** The fact of a received V1 event; none in V2. */
export const v1HeardFacts = (
  { eventId, orderId, eventType }: OrderEvent,
  { conduct }: Settings,
): readonly Fact[] =>
  speaksV1(conduct) ? [{ kind: 'legacy.heard', eventId, orderId, eventType }] : []
