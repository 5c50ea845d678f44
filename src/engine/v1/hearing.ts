/** What our Software Service keeps of a V1 event, beside what any event is to it. */
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { OrderEvent } from '../../protocol/orders/event.ts'
import type { Fact } from '../fact.ts'
import type { Settings } from '../settings.ts'

/** The fact that it came; none where V2 is spoken. */
export const heardOfV1 = (
  { eventId, orderId, eventType }: OrderEvent,
  { conduct }: Settings,
): readonly Fact[] =>
  speaksV1(conduct) ? [{ kind: 'legacy.heard', eventId, orderId, eventType }] : []
